"""Model files on the command line: ONNX models, and the scripts that `convert` makes of them."""

from __future__ import annotations

from pathlib import Path

from tvmscript.cli.errors import FileFailed
from tvmscript.files import load as load_with_constants
from tvmscript.files import save
from tvmscript.frontend.onnx import from_onnx
from tvmscript.ir.core import IRModule
from tvmscript.printer.entry import CONSTANTS_FILE

#: suffixes of files that are models of other libraries
SUFFIXES = (".onnx",)


def is_model(path: Path) -> bool:
    """Whether a file is a model of another library, by its suffix."""
    return path.suffix in SUFFIXES


def read_module(path: Path) -> IRModule | None:
    """Return the module of a model, or of a script whose large constants are in a file beside it; None for others.

    Raises `FileFailed`, and the errors of the importer and of `tvmscript.load`.
    """
    if is_model(path):
        if not path.is_file():
            raise FileFailed(file=path, reason="there is no such file")
        return from_onnx(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None  # what reads scripts reports it
    if f"\n{CONSTANTS_FILE}" not in text:
        return None
    program = load_with_constants(path)
    return program if isinstance(program, IRModule) else IRModule.from_expr(program)


def convert_model(path: Path, target: Path) -> IRModule:
    """Write a model as a script, its weights to a file beside it. Raises `FileFailed`, errors of the importer."""
    module = read_module(path)
    assert module is not None
    try:
        save(module, target)
    except OSError as error:
        raise FileFailed(file=target, reason=error.strerror or error) from error
    return module
