"""Save and load programs: text, and a NumPy archive for large constants.

    tvmscript.save(mod, "model.py")        # model.py, and model.npz if there are large constants
    mod = tvmscript.load("model.py")

The text refers to constants by fingerprints of their data, so a changed archive is detected.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.node import Node
from tvmscript.parser import from_source
from tvmscript.printer.entry import CONSTANTS_FILE, script_with_constants


class NoConstants(IRError):
    """The archive with the constants of a saved program is missing or damaged."""

    code = "TS7040"
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
        given["metadata"] = {**_constants(target, archive), **given.get("metadata", {})}
    return from_source(text, check_well_formed, given)


def _constants(program: Path, archive: Path) -> dict[str, Any]:
    # NumPy is needed for large constants only
    import numpy as np

    if not archive.exists():
        raise NoConstants(program=program, archive=archive, problem="does not exist")
    try:
        with np.load(archive, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, BadZipFile, EOFError) as error:
        raise NoConstants(program=program, archive=archive, problem=f"cannot be read: {error}") from error
