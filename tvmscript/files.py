"""Save and load programs: text, and a NumPy archive for large constants.

    tvmscript.save(mod, "model.py")        # model.py, and model.npz if there are large constants
    mod = tvmscript.load("model.py")

The text refers to constants by fingerprints of their data, so a changed archive is detected.
"""

from __future__ import annotations

import math
import re
import struct
import tokenize
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile, ZipFile, ZipInfo

from tvmscript.ir.core import IRError, Node
from tvmscript.parser import from_source
from tvmscript.printer.entry import CONSTANTS_FILE, script_with_constants

#: bytes that the arrays of an archive may have, beside what its own size allows
_MAX_UNPACKED: Final = 1 << 26
#: bytes for each byte of the archive: `save` does not compress
_MAX_RATIO: Final = 32
#: strings of a text, some of which name constants
_LITERAL: Final = re.compile(r"""'[^'\n]*'|"[^"\n]*\"""")


#: errors of a damaged archive
_DAMAGES: Final = (
    ValueError, TypeError, SyntaxError, OverflowError, BadZipFile, EOFError, OSError, RuntimeError, struct.error,
    zlib.error, tokenize.TokenError,
)  # fmt: skip


class NoConstants(IRError, code="TS7040"):
    """The archive with the constants of a saved program is missing or damaged."""

    message = "the constants of {program} are in {archive}, which {problem}"


def save(program: Node, path: str | Path, **options: Any) -> None:
    """Write a program to `path`, and its large constants to the same path with the suffix `.npz`.

    `options` are the options of `script()`. Raises `OSError` if a file cannot be written.
    """
    target = Path(path)
    archive = target.with_suffix(".npz")
    text, constants = script_with_constants(program, archive.name, **options)
    if constants:
        # NumPy is needed for large constants only
        import numpy as np

        arrays: dict[str, Any] = {name: np.asarray(data) for name, data in constants.items()}
        with archive.open("wb") as file:
            np.savez(file, **arrays)
    target.write_text(text + "\n", encoding="utf-8")


def load(path: str | Path, check_well_formed: bool = True, extra_vars: Mapping[str, Any] | None = None) -> Any:
    """Read a program that `save` wrote, with its constants. The text is never executed.

    Raises `NoConstants` if the archive is missing, and `DiagnosticError` for errors of the text, such as a constant
    that is missing in the archive (`MissingConstant`) or has other data (`ChangedConstant`).
    """
    target = Path(path)
    text = target.read_text(encoding="utf-8")
    given = dict(extra_vars or {})
    named = next((line for line in reversed(text.splitlines()) if line.startswith(CONSTANTS_FILE)), None)
    if named is not None:
        # the archive is in the folder of the text, whatever path the line names
        archive = target.parent / Path(named.removeprefix(CONSTANTS_FILE)).name
        given["metadata"] = {**_constants(target, archive, text), **given.get("metadata", {})}
    return from_source(text, check_well_formed, given)


def _constants(program: Path, archive: Path, text: str) -> dict[str, Any]:
    """Return the arrays of an archive that a text names. Raises `NoConstants`."""
    if not archive.exists():
        raise NoConstants(program=program, archive=archive, problem="does not exist")
    named = {literal[1:-1] for literal in _LITERAL.findall(text)}
    budget = _MAX_UNPACKED + _MAX_RATIO * archive.stat().st_size
    arrays: dict[str, Any] = {}
    try:
        with ZipFile(archive) as file:
            for entry in file.infolist():
                name = entry.filename.removesuffix(".npy")
                if name in named:
                    budget -= entry.file_size
                    if budget < 0:
                        problem = "unpacks to much more than its size: write it with tvmscript.save or numpy.savez"
                        raise NoConstants(program=program, archive=archive, problem=problem)
                    arrays[name] = _array(file, entry)
    except _DAMAGES as error:
        raise NoConstants(program=program, archive=archive, problem=f"cannot be read: {error}") from error
    return arrays


def _array(file: ZipFile, entry: ZipInfo) -> Any:
    """Return an array whose header agrees with the size of its entry. Raises `ValueError`."""
    # NumPy is needed for large constants only
    from numpy.lib import format as npy

    with file.open(entry) as stream:
        version = npy.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"{entry.filename} has the format {version}")
        read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        shape, _, dtype = read_header(stream)
        size = math.prod(shape) * dtype.itemsize
        if dtype.hasobject or any(extent < 0 for extent in shape) or size != entry.file_size - stream.tell():
            raise ValueError(f"{entry.filename} is no array of {shape} elements of {dtype}")
        stream.seek(0)
        return npy.read_array(stream, allow_pickle=False)
