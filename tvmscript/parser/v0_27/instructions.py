"""`T.cuda.*`, `T.nvshmem.*`, `T.nki.*` and `T.ptx.*` of 0.27: the functions of device instructions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tvmscript.ir.core import Span, UnknownName, WrongType, closest
from tvmscript.ir.tir import Call, Expr, StringImm, operators
from tvmscript.ir.tir.intrin import SURFACE
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS, DeviceInstruction, instruction
from tvmscript.ir.tir.intrin.ptx import PTX_FAMILIES
from tvmscript.ir.tir.intrin.ptx_calls import SINK, PtxOperands, PtxPredicate, ptx_call
from tvmscript.parser.names.namespace import Builtin, Namespace
from tvmscript.parser.names.parameters import Lambda
from tvmscript.parser.python.members import MEMBERS


def _function(op: DeviceInstruction) -> Callable[..., Expr]:
    def call(*args: Any, span: Span | None = None, **named: Any) -> Expr:
        return op(*args, span=span, **named)

    call.__name__ = call.__qualname__ = op.path.rpartition(".")[2]
    call.__doc__ = op.doc
    return call


def _reduction(name: str, kind: str) -> Callable[..., Expr]:
    """Return the function of a reduction by its operator: `T.cuda.warp_sum(x)`."""
    op = INSTRUCTIONS[f"cuda.{name}"]

    def call(value: Any, *args: Any, span: Span | None = None, **named: Any) -> Expr:
        return op(value, kind, *args, span=span, **named)

    call.__doc__ = f"`T.cuda.{name}` with the operator {kind}."
    return call


def wait_until(
    dst: Any,
    ptr: Any,
    predicate: Any,
    scope: str = "gpu",
    space: str = "global",
    ptx_type: str | None = None,
    backoff_ns: int | None = None,
    span: Span | None = None,
) -> Expr:
    """Read a word again until the predicate of it holds."""
    condition = predicate(dst) if isinstance(predicate, Lambda) or callable(predicate) else predicate
    op = INSTRUCTIONS["cuda.wait_until"]
    kind = "" if ptx_type is None else ptx_type
    return op(dst, ptr, condition, scope, space, kind, 0 if backoff_ns is None else backoff_ns, span=span)


def leader_address(ptr: Any, span: Span | None = None) -> Expr:
    """The address in shared memory of the first of two blocks."""
    address = INSTRUCTIONS["cuda.cvta_generic_to_shared"](ptr, span=span)
    expr: Expr = SURFACE["bitwise_and"](address, operators.const(0xFEFFFFFF, "uint32"), span=span)
    return expr


class GroupedBuiltin(Builtin):
    # A function that has others in it: `T.nvshmem.getmem_nbi(...)`, `T.nvshmem.getmem_nbi.warp(...)`.

    __slots__ = ("__doc__", "members")

    def __init__(self, name: str, function: Callable[..., Any], members: dict[str, Any]) -> None:
        super().__init__(name, function)
        self.members = members


# PTX


class PtxInstruction(Builtin):
    # An instruction of PTX with the modifiers read so far: `T.ptx.ld.global_.f32`; called it builds the call.

    __slots__ = ("__doc__", "family", "modifiers")

    def __init__(self, family: str, modifiers: tuple[str, ...] = ()) -> None:
        super().__init__(f"T.ptx.{'.'.join([family, *modifiers])}", self.call)
        self.family = family
        self.modifiers = modifiers

    def modified(self, name: str) -> PtxInstruction:
        """Return the instruction with one more modifier, as an attribute writes it."""
        return PtxInstruction(self.family, (*self.modifiers, _unescaped(name)))

    def call(self, *args: Any, pred: Any = None, preserve_dst: bool = False, span: Span | None = None) -> Call:
        """Build the call of operands, or of what a printer writes: operands, then modifiers and flags as strings."""
        split = len(args)
        while split > 0 and isinstance(args[split - 1], (str, StringImm)):
            split -= 1
        strings = [getattr(item, "value", item) for item in args[split:]]
        if not strings:
            return ptx_call(self.family, self.modifiers, PtxOperands(args, pred, preserve_dst), span)
        if pred is not None or preserve_dst:
            raise WrongType(where=self.name, expected="flags or keywords", got="both", span=span)
        operands = PtxOperands.from_flags(args[:split], strings.pop(), self.name, span)
        return ptx_call(self.family, (*self.modifiers, *strings), operands, span)


def _unescaped(name: str) -> str:
    """Return a modifier or a family as PTX writes it."""
    return name.removesuffix("_").replace("__colon__", ":").replace("__", "::")


def ptx(text: Any, span: Span | None = None) -> PtxInstruction:
    """An instruction as PTX writes it: `T.ptx["ld.global.f32"]`."""
    if not isinstance(text, str):
        raise WrongType(where="T.ptx", expected='the text of an instruction, T.ptx["ld.global.f32"]', got=repr(text))
    family, *modifiers = text.split(".")
    return PtxInstruction(_family(family, span), tuple(modifiers))


def _family(name: str, span: Span | None = None) -> str:
    """Return an instruction as PTX writes it. Raises `UnknownName`."""
    family = name if name in PTX_FAMILIES else _unescaped(name)
    if family not in PTX_FAMILIES:
        raise UnknownName(kind="instruction of PTX", name=name, span=span, hint=closest(family, PTX_FAMILIES))
    return family


#: what else `T.ptx` has
_OPERANDS = ("SINK", "pred", "addr")


def _member_of_ptx(name: str) -> object:
    if name == "SINK":
        return SINK
    if name == "pred":
        return Builtin("T.ptx.pred", lambda value, span=None: PtxPredicate(value))
    if name == "addr":
        return Builtin("T.ptx.addr", _function(instruction("ptx.addr")))
    return PtxInstruction(_family(name))


class _PtxMembers(dict[str, Any]):
    """The attributes of `T.ptx`: the instructions."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in _OPERANDS or not {name, _unescaped(name)}.isdisjoint(PTX_FAMILIES))

    def __getitem__(self, name: str) -> Any:
        return lambda owner: _member_of_ptx(name)

    def __iter__(self) -> Iterator[str]:
        return iter((*_OPERANDS, *sorted(PTX_FAMILIES)))


class _Modifiers(dict[str, Any]):
    """The attributes of an instruction of PTX: any modifier."""

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and not name.startswith("_")

    def __getitem__(self, name: str) -> Any:
        return lambda owner: owner.modified(name)


class _Ptx(Builtin):
    # `T.ptx`

    __slots__ = ("__doc__",)


def _grouped(name: str) -> Callable[[Any], object]:
    return lambda owner: owner.members[name]


MEMBERS[_Ptx] = _PtxMembers()
MEMBERS[PtxInstruction] = _Modifiers()
MEMBERS[GroupedBuiltin] = {name: _grouped(name) for name in ("warp", "block")}


def _tree() -> dict[str, Any]:
    """Return the functions of all instructions by the parts of their names."""
    tree: dict[str, Any] = {}
    for path, op in INSTRUCTIONS.items():
        *spaces, name = path.split(".")
        table = tree
        for space in spaces:
            table = table.setdefault(space, {})
            if isinstance(table, GroupedBuiltin):
                table = table.members
        grouped = path in ("nvshmem.getmem_nbi", "nvshmem.putmem_nbi", "nvshmem.putmem_signal_nbi")
        function = _function(op)
        table[name] = GroupedBuiltin(f"T.{path}", function, {}) if grouped else Builtin(f"T.{path}", function)
    for name in ("warp_reduce", "cta_reduce"):
        for kind in ("sum", "max", "min"):
            short = name.replace("reduce", kind)
            tree["cuda"][short] = Builtin(f"T.cuda.{short}", _reduction(name, kind))
    tree["cuda"]["wait_until"] = Builtin("T.cuda.wait_until", wait_until)
    tree["cuda"]["sm100_2sm_leader_smem_addr"] = Builtin("T.cuda.sm100_2sm_leader_smem_addr", leader_address)
    tree["ptx"] = _Ptx("T.ptx", ptx)
    return tree


def _nested(path: str, table: Mapping[str, Any]) -> dict[str, object]:
    return {
        name: Namespace(f"{path}.{name}", _nested(f"{path}.{name}", item)) if isinstance(item, dict) else item
        for name, item in table.items()
    }


#: namespace or name in `T` -> its functions by name, or the function
FUNCTIONS: dict[str, Any] = {
    name: _nested(f"T.{name}", item) if isinstance(item, dict) else item for name, item in _tree().items()
}
