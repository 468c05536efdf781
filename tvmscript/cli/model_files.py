"""Model files on the command line: models of other libraries, and the scripts that `convert` makes of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from tvmscript.cli.errors import FileFailed
from tvmscript.cli.exported_programs import read_exported_program
from tvmscript.cli.progress import progress
from tvmscript.files import load as load_with_constants
from tvmscript.files import save
from tvmscript.frontend.onnx import from_onnx
from tvmscript.frontend.stablehlo import from_stablehlo
from tvmscript.frontend.tflite import from_tflite
from tvmscript.ir.core import IRModule
from tvmscript.printer.entry import CONSTANTS_FILE


def _read_stablehlo(path: Path) -> IRModule:
    """Return the module of the text of a StableHLO program. Raises `FileFailed`."""
    try:
        return from_stablehlo(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise FileFailed(file=path, reason="it is no text") from error


#: suffix of models of other libraries -> what imports them
READERS: Final[Mapping[str, Callable[[Path], IRModule]]] = {
    ".mlir": _read_stablehlo,
    ".onnx": from_onnx,
    ".pt2": read_exported_program,
    ".tflite": from_tflite,
}
#: suffix of models that are not read -> what becomes of them
_OTHER_MODELS: Final[Mapping[str, str]] = {
    **dict.fromkeys((".pt", ".pth"), "torch.export.save(torch.export.export(model, inputs), 'm.pt2') writes one"),
    **dict.fromkeys((".h5", ".keras", ".pb"), "tf2onnx converts it to model.onnx"),
    ".safetensors": "it has weights alone; torch.export.save writes a model with its weights to model.pt2",
}


def read_module(path: Path) -> IRModule | None:
    """Return the module of a model, or of a script whose large constants are in a file beside it; None for others.

    Raises `FileFailed`, and the errors of the importer and of `tvmscript.load`.
    """
    if path.suffix in READERS:
        if not path.is_file():
            raise FileFailed(file=path, reason="there is no such file")
        return READERS[path.suffix](path)
    if path.suffix in _OTHER_MODELS:
        raise FileFailed(file=path, reason=f"{path.suffix} is not read", hint=_OTHER_MODELS[path.suffix])
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
    with progress(2) as next_step:
        next_step("importing")
        module = read_module(path)
        assert module is not None
        next_step("writing")
        try:
            save(module, target)
        except OSError as error:
            raise FileFailed(file=target, reason=error.strerror or error) from error
    return module
