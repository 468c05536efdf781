"""Calls of PTX instructions: the form that accepts the modifiers and operands, and the operands as it takes them.

The arguments of a call are its operands, its predicate if it has one, a string for each position of a modifier (""
where it is left out), and a string of flags: `pred` where it has a predicate, `keep` where a false predicate keeps the
destination, `p3` where operand 3 is a predicate register, `s1` where operand 1 is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from tvmscript.ir.core import HANDLE, VOID, DType, PointerType, Span, closest
from tvmscript.ir.core.errors import UnknownName, ValueOutOfRange, WrongArgumentCount, WrongType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import BufferLoad, Call, IntImm, StringImm, Var
from tvmscript.ir.tir.intrin.bits import reinterpret
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS, instruction
from tvmscript.ir.tir.intrin.ptx import Form, Operand, ptx_forms, ptx_modifiers, register_dtypes
from tvmscript.ir.tir.operators import as_expr, const


class PtxSink:
    """`T.ptx.SINK`: a lane that is not written."""


class PtxPredicate:
    """`T.ptx.pred(x)`: an operand in a predicate register."""

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        self.value = value


SINK = PtxSink()
_FLAG = re.compile(r"(pred|keep|[ps]\d+)?")


class PtxOperands(NamedTuple):
    """What an instruction is called with."""

    values: Sequence[object]
    predicate: object = None
    #: whether a false predicate keeps the destination
    is_kept: bool = False
    #: whether a printer wrote them: integers without a dtype are int32 where that is accepted
    is_printed: bool = False

    @staticmethod
    def from_flags(values: Sequence[object], flags: str, where: str, span: Span | None) -> PtxOperands:
        """Return what the arguments and flags of a call say. Raises `WrongType`."""
        names = flags.split(",") if flags else []
        for name in names:
            if not _FLAG.fullmatch(name):
                expected = "the flags pred, keep, and a place such as p3 or s1"
                raise WrongType(where=where, expected=expected, got=repr(name), span=span)
        operands = list(values)
        predicate = operands.pop() if "pred" in names and operands else None
        for place in sorted([int(name[1:]) for name in names if name[0] == "s"]):
            operands.insert(place, SINK)
        for place in [int(name[1:]) for name in names if re.fullmatch(r"p\d+", name)]:
            if place >= len(operands):
                raise WrongType(where=where, expected="the place of an operand", got=f"p{place}", span=span)
            operands[place] = PtxPredicate(operands[place])
        return PtxOperands(operands, predicate, "keep" in names, True)


def ptx_call(family: str, modifiers: tuple[str, ...], operands: PtxOperands, span: Span | None = None) -> Call:
    """Build the call of an instruction of PTX.

    Raises `UnknownName` for a modifier that it does not have, `WrongType` for modifiers that do not go together or
    an operand that no form takes, `WrongArgumentCount`, `ValueOutOfRange`.
    """
    where = f"T.ptx.{'.'.join([family, *modifiers])}"
    written = tuple([modifier for modifier in modifiers if modifier])
    allowed = ptx_modifiers(family)
    for modifier in written:
        if modifier not in allowed:
            raise UnknownName(
                kind=f"modifier of {family} of PTX", name=modifier, span=span, hint=closest(modifier, allowed)
            )
    candidates = [(form, form.place(written)) for form in ptx_forms(family)]
    placed = [(form, words) for form, words in candidates if words is not None and form.permits(words)]
    if not placed:
        raise WrongType(where=where, expected="modifiers that go together", got=".".join(written) or "none", span=span)
    count = len(operands.values)
    forms = [(form, words) for form, words in placed if sum(lanes for _, lanes in form.layout(words)) == count]
    if not forms:
        raise WrongArgumentCount(
            where=where,
            expected=" or ".join(dict.fromkeys([_signature(*each) for each in placed])),
            got=count,
            span=span,
        )
    refusals = []
    for form, words in forms:
        try:
            return _Binding(where, form, words, operands.is_printed, span).call(family, operands)
        except (WrongType, ValueOutOfRange) as refusal:
            refusals.append(refusal)
    raise refusals[0]


def _signature(form: Form, words: tuple[str, ...]) -> str:
    """Return the operands of a form as an error shows them: `(d[2], addr)`."""
    layout = [(operand.name, lanes) for operand, lanes in form.layout(words) if lanes]
    return f"({', '.join([name if lanes == 1 else f'{name}[{lanes}]' for name, lanes in layout])})"


class PtxParts(NamedTuple):
    """The arguments of a call: operands, behind them the predicate if it has one, and strings."""

    operands: list[Expr]
    words: tuple[str, ...]
    flags: frozenset[str]


def parts_of(call: Call) -> PtxParts:
    """Return the arguments of a call by their kinds."""
    strings = [arg.value for arg in call.args if isinstance(arg, StringImm)]
    operands = [arg for arg in call.args if not isinstance(arg, StringImm)]
    return PtxParts(operands, tuple(strings[:-1]), frozenset(strings[-1].split(",") if strings else ()))


class _Binding:
    """A form with its modifiers, which operands are bound to."""

    def __init__(self, where: str, form: Form, words: tuple[str, ...], is_printed: bool, span: Span | None) -> None:
        self.where = where
        self.form = form
        self.words = words
        self.is_printed = is_printed
        self.modifiers = dict(zip(form.names, words, strict=True))
        self.span = span

    def call(self, family: str, given: PtxOperands) -> Call:
        """Build the call. Raises `WrongType`, `ValueOutOfRange`."""
        args: list[Expr] = []
        predicates = [] if given.predicate is None else [self.predicate(given.predicate)]
        flags = ["pred"] if predicates else []
        if given.is_kept:
            if not predicates or not self.form.has_destination():
                raise self.refuse("pred= and a destination with preserve_dst=True", "none")
            flags.append("keep")
        sinks: list[str] = []
        place = 0
        for operand, lanes in self.form.layout(self.words):
            values = given.values[place : place + lanes]
            present = [value for value in values if value is not SINK]
            if len(present) < lanes:
                if not operand.is_sinkable or not present:
                    raise self.refuse(f"registers as {operand.name}, at least one", "T.ptx.SINK")
                sinks += [f"s{place + lane}" for lane, value in enumerate(values) if value is SINK]
            elif lanes and operand.access == "r" and self.is_predicate(operand):
                flags.append(f"p{place}")
            args += self.bind(operand, present)
            place += lanes
        strings = [StringImm(item) for item in (*self.words, ",".join([*flags, *sinks]))]
        return Call(VOID, instruction(f"ptx.{family}"), (*args, *predicates, *strings), self.span)

    def refuse(self, expected: str, got: object) -> WrongType:
        """Return the error of an operand."""
        return WrongType(where=self.where, expected=expected, got=got, span=self.span)

    def is_predicate(self, operand: Operand) -> bool:
        """Whether this is a predicate register."""
        return operand.kind == "register" and operand.resolved_type(self.modifiers) == "pred"

    def bind(self, operand: Operand, values: Sequence[object]) -> list[Expr]:
        """Return the arguments for an operand."""
        if self.is_predicate(operand):
            return [self.predicate_register(operand, value) for value in values]
        if operand.kind == "immediate":
            return [self.immediate(operand, value) for value in values]
        if operand.kind == "register":
            return self.registers(operand, values)
        return [self.address(operand, value) for value in values]

    def predicate(self, value: object) -> Expr:
        """Return the predicate of the instruction."""
        if isinstance(value, bool):
            return const(value, "bool")
        if isinstance(value, Expr) and value.dtype in ("bool", "uint32", "int32"):
            return value
        raise self.refuse("pred= of bool, uint32 or int32", _shown(value))

    def predicate_register(self, operand: Operand, value: object) -> Expr:
        """Return the argument for a predicate register, which is a uint32 outside of the instruction."""
        if operand.access != "r":
            if isinstance(value, BufferLoad) and value.dtype == "uint32":
                return value
            raise self.refuse(f"a uint32 scalar or element of a buffer as {operand.name}", _shown(value))
        is_tagged = isinstance(value, PtxPredicate)
        inner = value.value if isinstance(value, PtxPredicate) else value
        if isinstance(inner, bool) or (is_tagged and isinstance(inner, int)):
            return const(int(inner), "uint32")
        if isinstance(inner, Expr) and inner.dtype in (("bool", "uint32", "int32") if is_tagged else ("bool",)):
            return inner
        raise self.refuse(f"a condition or T.ptx.pred(...) as {operand.name}", _shown(inner))

    def immediate(self, operand: Operand, value: object) -> Expr:
        """Return the argument for a number in the text of the instruction."""
        number = value.value if isinstance(value, IntImm) else value
        if isinstance(number, int) and not isinstance(number, bool):
            if operand.choices is not None and number not in operand.choices:
                choices = ", ".join([str(choice) for choice in sorted(operand.choices)])
                raise self.refuse(f"one of {choices} as {operand.name}", number)
            return const(number, "int32")
        if (
            isinstance(value, Expr)
            and value.dtype.is_integer
            and not value.dtype.is_bool
            and not isinstance(operand.choices, frozenset)
        ):
            return value
        raise self.refuse(f"a constant integer as {operand.name}", _shown(value))

    def registers(self, operand: Operand, values: Sequence[object]) -> list[Expr]:
        """Return the arguments for registers of one type; literals have the dtype of the others."""
        dtypes = register_dtypes(operand.resolved_type(self.modifiers), operand.carrier)
        kinds = {_shown(value) for value in values if isinstance(value, bool) or not isinstance(value, (int, float))}
        default = "int32" if self.is_printed and "int32" in dtypes else dtypes[0]
        dtype = next(iter(kinds), default)
        if len(kinds) > 1 or dtype not in dtypes:
            raise self.refuse(f"{' or '.join(dtypes)} as {operand.name}", " and ".join(sorted(kinds)))
        bound: list[Expr] = []
        for value in values:
            if operand.access != "r" and not isinstance(value, BufferLoad):
                raise self.refuse(f"a scalar or an element of a buffer as {operand.name}", _shown(value))
            if isinstance(value, float) and not dtype.startswith("float"):
                raise self.refuse(f"{' or '.join(dtypes)} as {operand.name}", f"the literal {value}")
            bound.append(value if isinstance(value, Expr) else as_expr(value, DType(dtype), self.span))
        return bound

    def address(self, operand: Operand, value: object) -> Expr:
        """Return the argument for an address, which is a uint32 in shared memory."""
        if isinstance(value, Call) and value.op is INSTRUCTIONS["ptx.addr"]:
            if not operand.has_offset:
                raise self.refuse(f"an address without an offset as {operand.name}", "T.ptx.addr(...)")
            base, offset = value.args
            if isinstance(base, Call) and base.op is value.op:
                raise self.refuse(f"one offset as {operand.name}", "T.ptx.addr of T.ptx.addr")
            base = self.address(operand, base)
            return Call(base.dtype, value.op, (base, offset), value.span)
        kind = value.dtype if isinstance(value, Expr) else None
        space = operand.resolved_type(self.modifiers)
        expected = "a pointer or a uint64 address"
        if operand.kind == "pointer":
            expected = "a pointer"
            if isinstance(value, Expr) and kind is HANDLE:
                return value
        elif space == "tmem":
            expected = "a uint32 (T.cuda.get_tmem_addr)"
            if isinstance(value, Expr) and kind == "uint32":
                return value
        elif space.startswith("shared"):
            expected = "a pointer or a uint32 address"
            if isinstance(value, Expr) and kind == "uint32":
                return value
            if kind is HANDLE:
                return INSTRUCTIONS["cuda.cvta_generic_to_shared"](value, span=self.span)
        elif isinstance(value, Expr) and kind is HANDLE:
            if not _storage_scope(value).startswith("shared"):
                return value
            raise self.refuse(f"a {space or 'generic'} address as {operand.name}", "a pointer to shared memory")
        elif kind == "uint64":
            return reinterpret("handle", value, span=self.span)
        raise self.refuse(f"{expected} as {operand.name}", _shown(value))


def _storage_scope(pointer: Expr) -> str:
    """Return the storage scope of a pointer, "" where it is unknown."""
    if isinstance(pointer, Call) and getattr(pointer.op, "name", "") == "tir.address_of":
        load = pointer.args[0]
        return load.buffer.storage_scope if isinstance(load, BufferLoad) else ""
    kind = pointer.pointer_type if isinstance(pointer, Var) else None
    return kind.storage_scope if isinstance(kind, PointerType) else ""


def _shown(value: object) -> str:
    """Return the dtype of an operand, or what else it is."""
    if isinstance(value, Expr):
        return str(value.dtype)
    return "T.ptx.pred(...)" if isinstance(value, PtxPredicate) else repr(value)
