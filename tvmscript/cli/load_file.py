"""Load the programs of a file: parse it as text if possible, else execute it as Python."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tvmscript.cli.errors import FileFailed, NoPrograms
from tvmscript.cli.files import File, read_file
from tvmscript.ir.core import BaseFunc, DiagnosticError, IRModule
from tvmscript.parser import parse_program

#: beginnings of the names of functions that commands call: references, kernels of other libraries
_PREFIXES: Final = ("reference", "numpy_", "torch_", "numba_")


@dataclass
class Programs:
    """Modules and functions of a file by name, and its references and kernels of other libraries."""

    programs: dict[str, IRModule | BaseFunc]
    references: dict[str, Callable[..., object]] = field(default_factory=dict[str, Callable[..., object]])

    def reference_of(self, name: str) -> Callable[..., object] | None:
        """Return `reference_NAME` of the file, or `reference`, which serves all functions."""
        return self.references.get(f"reference_{name}", self.references.get("reference"))


def load(path: Path) -> Programs:
    """Return the programs of a file, `-` for standard input.

    A file of programs alone is read as text. A file that imports this package and contains other Python code
    (references, captured values) is executed as by `python FILE`.

    Raises `NoPrograms`, `FileFailed`, and errors of the parser.
    """
    file = read_file(path)
    if isinstance(file, FileFailed):
        raise file
    if file.path is None or not _has_references(file.text):
        try:
            programs = parse_program(file.text, name=file.name)
        except DiagnosticError:
            if file.path is None or not _imports_us(file.text):
                raise
        else:
            return _require_programs(Programs(programs), file)
    return _require_programs(_execute(path), file)


def _require_programs(programs: Programs, file: File) -> Programs:
    if not programs.programs:
        raise NoPrograms(file=file.name)
    return programs


def _tree(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _has_references(text: str) -> bool:
    tree = _tree(text)
    return tree is not None and any(
        isinstance(item, ast.FunctionDef) and item.name.startswith(_PREFIXES) for item in tree.body
    )


def _imports_us(text: str) -> bool:
    """Whether the file can run as Python: a printed text has its imports as comments."""
    tree = _tree(text)
    return tree is not None and any(
        (isinstance(item, ast.Import) and any(name.name.split(".")[0] == "tvmscript" for name in item.names))
        or (isinstance(item, ast.ImportFrom) and (item.module or "").split(".")[0] == "tvmscript")
        for item in tree.body
    )


def _execute(path: Path) -> Programs:
    spec = importlib.util.spec_from_file_location("__tvmscript_run__", path)
    if spec is None or spec.loader is None:
        raise FileFailed(file=path, reason="it is no Python file", hint="a file of programs alone may have any suffix")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        raise FileFailed(file=path, reason=error) from error
    names = vars(module)
    return Programs(
        {name: value for name, value in names.items() if isinstance(value, (IRModule, BaseFunc))},
        {name: value for name, value in names.items() if name.startswith(_PREFIXES) and callable(value)},
    )
