"""The table of `I`: attributes and global infos of modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tvmscript.ir.core import Span, Target, UnknownName, WrongType
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.core.module import DummyGlobalInfo, GlobalInfo, GlobalVar, VDevice
from tvmscript.ir.tir import Range
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.parser.builtins.argument_checks import integer, text
from tvmscript.parser.builtins.table import F, register
from tvmscript.parser.diagnostics.errors import GivenTwice
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.reader import ModuleReader, Reader

#: name in `I` -> entry
IR: dict[str, object] = {}


def _offer(name: str, needs_kernel: bool = False, in_class: bool = False) -> Callable[[F], F]:
    return register(IR, "I", (name,), needs_kernel, in_class)


class Module:
    """Base class of modules, for type checkers only: `class Kernels(I.Module):`."""


IR["Module"] = Module


class StringType:
    """The type of strings in Relax of 0.27; in 0.17 they are objects."""

    def __init__(self, span: Span | None = None) -> None:
        """Accept no arguments."""


#: the names of `I` in 0.27
IR_V0_27: dict[str, object] = {"StringType": Builtin("I.StringType", StringType)}


@_offer("Range")
def range_(begin: object, end: object = None, span: Span | None = None) -> Range:
    """The integers from `begin` to `end`, exclusive; with one argument those from 0."""
    first, last = (begin, end) if end is not None else (0, begin)
    interval: Range = SURFACE["Range"](first, last, span=span)
    return interval


@_offer("module_attrs", True, in_class=True)
def module_attrs(parser: ModuleReader, span: Span, attrs: Mapping[str, object]) -> None:
    """Set the attributes of the module."""
    if not isinstance(attrs, Mapping):
        raise WrongType(where="I.module_attrs", expected="a dict", got=repr(attrs), span=span)
    if parser.module_attrs is not None:
        raise GivenTwice(what="I.module_attrs", span=span)
    parser.module_attrs = attributes(attrs)


@_offer("module_global_infos", True, in_class=True)
def module_global_infos(parser: Reader, span: Span, global_infos: Mapping[str, object]) -> None:
    """Set the global infos of the module, which its functions share."""
    if not isinstance(global_infos, Mapping):
        raise WrongType(where="I.module_global_infos", expected="a dict", got=repr(global_infos), span=span)
    if parser.session.global_infos is not None:
        raise GivenTwice(what="I.module_global_infos", span=span)
    infos_by_name: dict[str, tuple[GlobalInfo, ...]] = {}
    for key, infos in global_infos.items():
        items = infos if isinstance(infos, (tuple, list)) else (infos,)
        if not isinstance(key, str) or not all(isinstance(item, GlobalInfo) for item in items):
            raise WrongType(where="I.module_global_infos", expected="lists of global infos", got=repr(infos), span=span)
        infos_by_name[key] = tuple([item for item in items if isinstance(item, GlobalInfo)])
    parser.session.global_infos = infos_by_name


@_offer("dummy_global_info")
def dummy_global_info(span: Span | None = None) -> DummyGlobalInfo:
    """A global info without content."""
    return DummyGlobalInfo(span=span)


@_offer("GlobalVar")
def global_var(name_hint: str, span: Span | None = None) -> GlobalVar:
    """The name of a function that is not in the text."""
    if not isinstance(name_hint, str):
        raise WrongType(where="I.GlobalVar", expected="a name", got=repr(name_hint), span=span)
    return GlobalVar(name_hint, span=span)


@_offer("lookup_vdevice", True)
def lookup_vdevice(parser: Reader, span: Span, target_kind: str | None = None, device_index: int = -1) -> VDevice:
    """Return a virtual device of the module: its target kind ("vdevice" for any), its index among those."""
    infos = parser.session.global_infos
    vdevices = [item for item in (infos or {}).get("vdevice", ()) if isinstance(item, VDevice)]
    kind, number = text("I.lookup_vdevice", target_kind), integer("I.lookup_vdevice", device_index)
    candidates = [item for item in vdevices if kind in ("vdevice", getattr(item.target, "kind", None))]
    if not 0 <= number < len(candidates):
        hint = 'I.module_global_infos({"vdevice": [...]}) before the function defines devices'
        raise UnknownName(kind="virtual device", name=f"{kind}:{number}", span=span, hint=hint)
    return candidates[number]


@_offer("vdevice")
def vdevice(target: Any = None, vdevice_id: int = 0, memory_scope: str = "global", span: Span | None = None) -> VDevice:
    """A virtual device: a target, a device index and a memory scope."""
    if target is not None:
        target = Target.make(target)
    number, scope = integer("I.vdevice", vdevice_id), text("I.vdevice", memory_scope)
    return VDevice(target, number, scope, span=span)
