"""Loops that copy memory are what a function makes of the two regions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, is_const, make, mul, sub
from tvmscript.ir.arith.linear_equation import detect_clip_bound, detect_linear_equation
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer, make_buffer
from tvmscript.ir.tir.expr import BufferLoad, Call, Cast, IntImm, Max, Select
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.operators import const, match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, For
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import NoCopy

#: source, destination, padding before and after each axis, the value of the padding
Maker = Callable[[Buffer, Buffer, list[Expr], list[Expr], Expr | None], Stmt]


class _Source(NamedTuple):
    """What is copied, and where: the condition and the value of the padding, if there is one."""

    load: BufferLoad
    condition: Expr | None = None
    padding: Expr | None = None


def _source(value: Expr) -> _Source | None:
    condition = padding = None
    if isinstance(value, Select):
        condition, padding, value = value.condition, value.false_value, value.true_value
    elif isinstance(value, Call) and value.op is if_then_else_:
        condition, value, padding = value.args
    elif isinstance(value, Cast):
        value = value.value
    return _Source(value, condition, padding) if isinstance(value, BufferLoad) and value.dtype.lanes == 1 else None


class _Copies(TirRewriter):
    def __init__(self, key: str, make_copy: Maker) -> None:
        super().__init__()
        self.key, self.make_copy = key, make_copy
        self.analyzer = Analyzer()

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != self.key:
            made: Stmt = self.descend(node)
            return made
        return self.copied(node)

    def copied(self, node: AttrStmt) -> Stmt:
        """What the function makes of the loops."""
        loops: list[For] = []
        stmt = node.body
        while isinstance(stmt, For):
            if not is_const(stmt.min, 0):
                raise NoCopy(key=self.key, reason="a loop does not begin at 0", span=stmt.span)
            loops.append(stmt)
            stmt = stmt.body
        source = _source(stmt.value) if isinstance(stmt, BufferStore) else None
        if not isinstance(stmt, BufferStore) or source is None:
            raise NoCopy(key=self.key, reason="the innermost statement does not store what it loads", span=stmt.span)
        if len(stmt.indices) != 1 or len(source.load.indices) != 1:
            raise NoCopy(key=self.key, reason="the buffers are not flat", span=stmt.span)
        to = detect_linear_equation(stmt.indices[0], [each.loop_var for each in loops])
        of = detect_linear_equation(source.load.indices[0], [each.loop_var for each in loops])
        if not to or not of:
            raise NoCopy(key=self.key, reason="an index is no sum of multiples of the loops", span=stmt.span)
        extents = [each.extent for each in loops]
        before: list[Expr] = []
        after: list[Expr] = []
        shape, start = extents, of[-1]
        if source.condition is not None:
            before, after = self.padded(loops, source.condition, stmt)
            for pad, stride in zip(before, of, strict=False):
                start = add(*match_types(start, mul(*match_types(pad, stride))))
            shape = [
                self.analyzer.simplify(sub(sub(extent, first), last))
                for extent, first, last in zip(extents, before, after, strict=True)
            ]
            start = self.analyzer.simplify(start)
        one: list[Expr] = [] if loops else [IntImm(INT32, 1)]
        given = self.make_copy(
            _region(source.load.buffer, [*shape, *one], [*of[:-1], *one], start),
            _region(stmt.buffer, [*extents, *one], [*to[:-1], *one], to[-1]),
            before,
            after,
            source.padding,
        )
        if not isinstance(given, Stmt):
            raise WrongType(where="what makes a copy", expected="a statement", got=repr(given), span=node.span)
        return given

    def padded(self, loops: list[For], condition: Expr, at: Stmt) -> tuple[list[Expr], list[Expr]]:
        """How many iterations of each loop are before and after those for which the condition holds."""
        bounds = detect_clip_bound(condition, [each.loop_var for each in loops])
        if not bounds:
            raise NoCopy(key=self.key, reason="the condition does not bound the loops one by one", span=at.span)
        before: list[Expr] = []
        after: list[Expr] = []
        for loop, low, high in zip(loops, bounds[::2], bounds[1::2], strict=True):
            dtype = loop.loop_var.dtype
            zero, one = const(0, dtype), const(1, dtype)
            before.append(zero if low is None else self.analyzer.simplify(make(Max, low, zero)))
            last = None if high is None else make(Max, sub(sub(loop.extent, high), one), zero)
            after.append(zero if last is None else self.analyzer.simplify(last))
        return before, after


def _region(buffer: Buffer, shape: list[Expr], strides: list[Expr], start: Expr) -> Buffer:
    return make_buffer(
        tuple(shape), buffer.dtype, buffer.name, data=buffer.data, strides=tuple(strides), elem_offset=start
    )  # fmt: skip


@dataclass(frozen=True)
class InjectCopyIntrin(PrimFuncPass):
    """Loops under the attribute `pragma_key` that copy from one flat buffer to another are what `fintrin` makes of
    them: a function of the source, the destination, how much each axis is padded before and after, and with what.

    The regions are buffers with a shape, strides and an offset. Where the copied value is a choice with a condition on
    single loops, the rest is padding. Raises `NoCopy`.

    rewrite:
        with T.attr(0, "pragma_memcpy", 1):           fintrin(
            for i in range(8):                            src=T.Buffer((6,), data=A.data, strides=(1,)),
                B[i] = T.if_then_else(          -->       dst=T.Buffer((8,), data=B.data, strides=(1,)),
                    1 <= i and i < 7,                     pad_before=[1], pad_after=[1], pad_value=0.0)
                    A[i - 1], 0.0)
    """

    name: ClassVar[str] = "tir.InjectCopyIntrin"
    takes: ClassVar[Form] = Form.FLAT

    pragma_key: str = ""
    fintrin: Any = None

    def transform(self, func: PrimFunc) -> PrimFunc:
        key = self.pragma_key if self.pragma_key.startswith("pragma_") else f"pragma_{self.pragma_key}"
        return func.with_body(_Copies(key, self.fintrin).rewrite(func.body))
