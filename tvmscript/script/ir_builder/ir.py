"""The names of `tvm.script.ir_builder.ir`: `with I.ir_module(): ...`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core import BaseFunc, GlobalVar, IRModule
from tvmscript.script.ir_builder.frames import Frame, IRBuilder, innermost


class ModuleFrame(Frame):
    """A module that is open."""

    def __init__(self) -> None:
        super().__init__()
        self.functions: dict[GlobalVar, BaseFunc] = {}
        self.declared: dict[str, GlobalVar] = {}
        self.attrs: dict[str, Any] = {}
        self.global_infos: dict[str, Any] = {}

    def finish(self) -> None:
        """Make the module the result."""
        IRBuilder.current().results.append(IRModule(self.functions, self.attrs, self.global_infos))


def ir_module() -> ModuleFrame:
    """Return the frame of a module."""
    return ModuleFrame()


def decl_function(func_name: str, func_signature: object = None) -> GlobalVar:
    """Return the global variable of a function that is defined later."""
    frame = innermost(ModuleFrame, "I.decl_function", "I.ir_module")
    return frame.declared.setdefault(func_name, GlobalVar(func_name))


def def_function(func_name: str, func: BaseFunc) -> None:
    """Define a function of the module."""
    frame = innermost(ModuleFrame, "I.def_function", "I.ir_module")
    frame.functions[decl_function(func_name)] = func


def module_attrs(attrs: Mapping[str, Any]) -> None:
    """Set attributes of the module."""
    innermost(ModuleFrame, "I.module_attrs", "I.ir_module").attrs.update(attrs)


def module_global_infos(global_infos: Mapping[str, Any]) -> None:
    """Set global infos of the module."""
    innermost(ModuleFrame, "I.module_global_infos", "I.ir_module").global_infos.update(global_infos)
