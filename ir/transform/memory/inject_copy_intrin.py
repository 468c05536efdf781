"""Replace marked copy loops by the result of a user function of the two regions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, is_const, make, mul, sub
from tvmscript.ir.arith.linear_equation import detect_clip_bound, detect_linear_equation
from tvmscript.ir.core import INT32, WrongType, on
from tvmscript.ir.tir import Buffer, Expr, PrimFunc, Stmt, TirRewriter, const, make_buffer, match_types
from tvmscript.ir.tir.expr import BufferLoad, Call, Cast, IntImm, Max, Select
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.stmt import AttrStmt, BufferStore, For
from tvmscript.ir.transform.base import Form, PrimFuncPass
from tvmscript.ir.transform.errors import NoCopy

#: source, destination, padding before and after each axis, the value of the padding
Maker = Callable[[Buffer, Buffer, list[Expr], list[Expr], Expr | None], Stmt]


class _Source(NamedTuple):
    """The copied element, with the condition and the padding value if there is padding."""

    load: BufferLoad
    condition: Expr | None = None
    padding: Expr | None = None


def _match_source(value: Expr) -> _Source | None:
    condition = padding = None
    if isinstance(value, Select):
        condition, padding, value = value.condition, value.false_value, value.true_value
    elif isinstance(value, Call) and value.op is if_then_else_:
        condition, value, padding = value.args
    elif isinstance(value, Cast):
        value = value.value
    return _Source(value, condition, padding) if isinstance(value, BufferLoad) and value.dtype.lanes == 1 else None


class _CopyRewriter(TirRewriter):
    def __init__(self, key: str, make_copy: Maker) -> None:
        super().__init__()
        self.key, self.make_copy = key, make_copy
        self.analyzer = Analyzer()

    @on(AttrStmt)
    def attribute(self, node: AttrStmt) -> Stmt:
        if node.attr_key != self.key:
            return self.descend(node)
        return self.replace_copy(node)

    def replace_copy(self, node: AttrStmt) -> Stmt:
        """Return the result of the user function for the loops."""
        loops: list[For] = []
        stmt = node.body
        while isinstance(stmt, For):
            if not is_const(stmt.min, 0):
                raise NoCopy(key=self.key, reason="a loop does not begin at 0", span=stmt.span)
            loops.append(stmt)
            stmt = stmt.body
        source = _match_source(stmt.value) if isinstance(stmt, BufferStore) else None
        if not isinstance(stmt, BufferStore) or source is None:
            raise NoCopy(key=self.key, reason="the innermost statement does not store what it loads", span=stmt.span)
        if len(stmt.indices) != 1 or len(source.load.indices) != 1:
            raise NoCopy(key=self.key, reason="the buffers are not flat", span=stmt.span)
        store_strides = detect_linear_equation(stmt.indices[0], [loop.loop_var for loop in loops])
        load_strides = detect_linear_equation(source.load.indices[0], [loop.loop_var for loop in loops])
        if not store_strides or not load_strides:
            raise NoCopy(key=self.key, reason="an index is not linear in the loop variables", span=stmt.span)
        extents = [loop.extent for loop in loops]
        before: list[Expr] = []
        after: list[Expr] = []
        shape, start = extents, load_strides[-1]
        if source.condition is not None:
            before, after = self.detect_padding(loops, source.condition, stmt)
            for pad, stride in zip(before, load_strides, strict=False):
                start = add(*match_types(start, mul(*match_types(pad, stride))))
            shape = [
                self.analyzer.simplify(sub(sub(extent, first), last))
                for extent, first, last in zip(extents, before, after, strict=True)
            ]
            start = self.analyzer.simplify(start)
        one: list[Expr] = [] if loops else [IntImm(INT32, 1)]
        new_stmt = self.make_copy(
            _region(source.load.buffer, [*shape, *one], [*load_strides[:-1], *one], start),
            _region(stmt.buffer, [*extents, *one], [*store_strides[:-1], *one], store_strides[-1]),
            before,
            after,
            source.padding,
        )
        if not isinstance(new_stmt, Stmt):
            raise WrongType(where="the result of fintrin", expected="a statement", got=repr(new_stmt), span=node.span)
        return new_stmt

    def detect_padding(self, loops: list[For], condition: Expr, at: Stmt) -> tuple[list[Expr], list[Expr]]:
        """Return the numbers of iterations of each loop before and after the condition holds."""
        bounds = detect_clip_bound(condition, [loop.loop_var for loop in loops])
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
    """Replace copy loops under the attribute `pragma_key` by the result of
    `fintrin(source, destination, pad_before, pad_after, pad_value)`.

    The regions of the flat buffers are passed as buffers with shape, strides and offset. If the copied value is
    conditional, with a condition on single loops, the other elements are padding. Raises `NoCopy`.

    rewrite:
        with T.attr(0, "pragma_memcpy", 1):           fintrin(
            for i in range(8):                            src=T.Buffer((6,), data=A.data, strides=(1,)),
                B[i] = T.if_then_else(          -->       dst=T.Buffer((8,), data=B.data, strides=(1,)),
                    1 <= i and i < 7,                     pad_before=[1], pad_after=[1], pad_value=0.0)
                    A[i - 1], 0.0)
    """

    name = "tir.InjectCopyIntrin"
    is_idempotent = True
    takes = Form.FLAT

    pragma_key: str = ""
    fintrin: Any = None

    def transform(self, func: PrimFunc) -> PrimFunc:
        key = self.pragma_key if self.pragma_key.startswith("pragma_") else f"pragma_{self.pragma_key}"
        return func.with_body(_CopyRewriter(key, self.fintrin).rewrite(func.body))
