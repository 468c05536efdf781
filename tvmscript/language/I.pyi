# Written by `python -m tools.reference`; edit tools/reference/ instead.

import builtins
from collections.abc import Callable
from collections.abc import Mapping
from tvmscript.ir.core.module import DummyGlobalInfo
from tvmscript.ir.core.module import GlobalVar as _GlobalVar
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.tir.expr import Range as _Range
from tvmscript.language.kernel_types import Expr
from tvmscript.language.kernel_types import M
from tvmscript.language.kernel_types import Module as _Module
from tvmscript.language.kernel_types import Value
from typing import Any
from typing import overload

class _ClassOfModules(type):
    """mypy does not look at decorators of classes: for it, `Kernels["f"]` is a function of the module all the same."""

    def __getitem__(cls, name: Any) -> Any: ...

class Module(Any, metaclass=_ClassOfModules):  # type: ignore[misc]
    """The base of a module's class: `class Kernels(I.Module)`. Checkers then take its functions without `self`."""

def GlobalVar(name_hint: str) -> _GlobalVar:
    """The name of a function that is not in the text."""

def Range(begin: Value, end: Value | None = None) -> _Range:
    """The integers from `begin` to `end`, exclusive; with one argument those from 0."""

def StringImm(value: str) -> Expr:
    """A string constant."""

def dummy_global_info() -> DummyGlobalInfo:
    """A global info without content."""

@overload
def ir_module(cls: type, /, *, check_well_formed: builtins.bool = True, s_tir: builtins.bool = True, source: str | None = None) -> _Module:
    """An IRModule of the functions of a class.
    
    `source` is the text of the class, for code without a file."""
@overload
def ir_module(*, check_well_formed: builtins.bool = True, s_tir: builtins.bool = True, source: str | None = None) -> Callable[[type], _Module]:
    """An IRModule of the functions of a class.
    
    `source` is the text of the class, for code without a file."""

def lookup_vdevice(target_kind: str | None = None, device_index: int = -1) -> VDevice:
    """Return a virtual device of the module: its target kind ("vdevice" for any), its index among those."""

def meta_var(value: M) -> M:
    """A Python value that an assignment binds without a variable in the program."""

def module_attrs(attrs: Mapping[str, object]) -> None:
    """Set the attributes of the module."""

def module_global_infos(global_infos: Mapping[str, object]) -> None:
    """Set the global infos of the module, which its functions share."""

def vdevice(target: Any = None, vdevice_id: int = 0, memory_scope: str = 'global') -> VDevice:
    """A virtual device: a target, a device index and a memory scope."""
