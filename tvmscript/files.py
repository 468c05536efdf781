"""Programs in files: the text, and beside it a NumPy archive with the constants that are too large for it.

    tvmscript.save(mod, "model.py")        # model.py, and model.npz where there are large constants
    mod = tvmscript.load("model.py")

The archive's keys are fingerprints of the data, which the text names, so that neither can be changed unnoticed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

from tvmscript.ir.core.errors import IRError
from tvmscript.ir.core.node import Node
from tvmscript.parser import from_source
from tvmscript.printer.entry import PLACE, script_with_constants


class NoConstants(IRError):
    """The file with the constants of a saved program is not there, or is no archive."""

    code = "TS7040"
    message = "the constants of {program} are in {archive}, which {problem}"


def save(program: Node, path: str | Path, **options: Any) -> None:
    """Write a program to `path`, and its large constants to the file of that name with the ending `.npz`.

    `options` are those of `script()`. Raises `OSError` where a file cannot be written.
    """
    target = Path(path)
    archive = target.with_suffix(".npz")
    text, constants = script_with_constants(program, archive.name, **options)
    if constants:
        # only programs with large constants need it
        import numpy as np

        arrays: dict[str, Any] = {name: np.asarray(data) for name, data in constants.items()}
        with archive.open("wb") as file:
            np.savez(file, **arrays)
    target.write_text(text + "\n", encoding="utf-8")


def load(path: str | Path, check_well_formed: bool = True, extra_vars: Mapping[str, Any] | None = None) -> Any:
    """The program of a file that `save` wrote, with its constants. The text is read, never run.

    Raises `NoConstants` where their file is missing, `DiagnosticError` for what is wrong with the text: a constant
    that the archive does not have (`MissingConstant`), or has with other data (`ChangedConstant`).
    """
    target = Path(path)
    text = target.read_text(encoding="utf-8")
    given = dict(extra_vars or {})
    named = next((line for line in reversed(text.splitlines()) if line.startswith(PLACE)), None)
    if named is not None:
        # the file stands beside the text, whatever the line says
        archive = target.parent / Path(named.removeprefix(PLACE)).name
        given["metadata"] = {**_constants(target, archive), **given.get("metadata", {})}
    return from_source(text, check_well_formed, given)


def _constants(program: Path, archive: Path) -> dict[str, Any]:
    # only programs with large constants need it
    import numpy as np

    if not archive.exists():
        raise NoConstants(program=program, archive=archive, problem="does not exist")
    try:
        with np.load(archive, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}
    except (ValueError, BadZipFile, EOFError) as error:
        raise NoConstants(program=program, archive=archive, problem=f"cannot be read: {error}") from error
