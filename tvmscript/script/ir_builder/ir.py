"""The names of `tvm.script.ir_builder.ir`: `with I.ir_module(): ...`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule
from tvmscript.script.ir_builder.frames import IRBuilder, innermost


class ModuleFrame:
    """A module that is open."""

    def __init__(self) -> None:
        self.functions: dict[GlobalVar, BaseFunc] = {}
        self.declared: dict[str, GlobalVar] = {}
        self.attrs: dict[str, Any] = {}
        self.global_infos: dict[str, Any] = {}

    def __enter__(self) -> ModuleFrame:
        IRBuilder.current().frames.append(self)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        builder = IRBuilder.current()
        builder.frames.remove(self)
        if kind is None:
            builder.results.append(IRModule(self.functions, self.attrs, self.global_infos))

    def define(self, name: str, func: BaseFunc) -> bool:
        """Define a function of the module."""
        self.functions[self.declare(name)] = func
        return True

    def declare(self, name: str) -> GlobalVar:
        """Return the global variable of a function that is defined now or later."""
        return self.declared.setdefault(name, GlobalVar(name))


def ir_module() -> ModuleFrame:
    """Return the frame of a module."""
    return ModuleFrame()


def decl_function(func_name: str, func_signature: BaseFunc | None = None) -> GlobalVar:
    """Return the global variable of a function that is defined later; until then it is `func_signature`."""
    frame = innermost(ModuleFrame, "I.decl_function", "I.ir_module")
    if func_signature is not None:
        frame.define(func_name, func_signature)
    return frame.declare(func_name)


def def_function(func_name: str, func: BaseFunc) -> None:
    """Define a function of the module."""
    innermost(ModuleFrame, "I.def_function", "I.ir_module").define(func_name, func)


def module_attrs(attrs: Mapping[str, Any]) -> None:
    """Set attributes of the module."""
    innermost(ModuleFrame, "I.module_attrs", "I.ir_module").attrs.update(attrs)


def module_global_infos(global_infos: Mapping[str, Any]) -> None:
    """Set global infos of the module."""
    innermost(ModuleFrame, "I.module_global_infos", "I.ir_module").global_infos.update(global_infos)
