"""Hooks: functions that a higher layer fills when they are first called."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core import hooks
from tvmscript.wiring import WIRING

_ROOT = Path(__file__).parents[3]
#: where modules of the package may be imported by their names: package faces, registries, the command line
_IMPORT_BY_NAME = {
    "backends/cuda/nvrtc.py",  # a library that need not be installed
    "backends/runtime/ffi.py",  # a package without its parts
    "ir/core/dispatch.py",
    "ir/core/hooks.py",
    "ir/core/lazy.py",
    "ir/transform/registry.py",
    "ir/transform/user_passes.py",
    "tvmscript/benchmark/model_peers.py",  # libraries that need not be installed
    "tvmscript/benchmark/peers.py",  # libraries that need not be installed
    "tvmscript/frontend/optional.py",  # libraries that need not be installed
    "tvmscript/fuzz/areas.py",
    "tvmscript/fuzz/records/functions.py",  # that of a function that a record names
    "tvmscript/fuzz/records/operators.py",  # the package as its users import it
    "tvmscript/fuzz/runtime/area.py",  # modules of functions, which import others
    "tvmscript/parser/names/lazy_table.py",
    "tvmscript/parser/source/lookup.py",  # readline, which Windows has not
    "tvmscript/testing/plugin.py",
    "tvmscript/tir/transform.py",
    "tvmscript/tvm_names.py",
}


def test_each_hook_is_filled_by_the_module_of_the_wiring() -> None:
    for name, module in WIRING.items():
        importlib.import_module(name.rpartition(".")[0])
        importlib.import_module(module)
        assert hooks.HOOKS[name].is_filled, name


def test_the_wiring_has_every_hook() -> None:
    declared = {name for name in hooks.HOOKS if name.startswith("tvmscript.")}
    assert declared <= WIRING.keys()


def test_a_hook_without_a_module_names_itself() -> None:
    hook: hooks.Hook[[int], int] = hooks.Hook("nowhere")
    try:
        with pytest.raises(RuntimeError, match="nothing fills the hook nowhere"):
            hook(1)
        hook.fill(lambda number: number + 1)
        assert hook(1) == 2
    finally:
        del hooks.HOOKS["nowhere"]


def test_the_declaration_names_the_hook() -> None:
    assert tvmscript.ir.core.node.script.name == "tvmscript.ir.core.node.script"


def _imports_by_name(path: Path) -> bool:
    text, importers = path.read_text(), {"import_module", "__import__"}
    if not any(name in text for name in importers):
        return False  # most files: parsing them all takes seconds
    nodes = list(ast.walk(ast.parse(text)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return bool(names & importers)


def test_only_faces_and_registries_import_by_name() -> None:
    files = [path for room in ("ir", "backends", "tvmscript") for path in (_ROOT / room).rglob("*.py")]
    files = [path for path in files if path.name != "__init__.py" and "cli" not in path.parts]
    by_name = {str(path.relative_to(_ROOT)) for path in files if _imports_by_name(path)}
    # `tvmscript/ir` and `tvmscript/backends` are links, which `rglob` does not follow
    assert by_name <= _IMPORT_BY_NAME
