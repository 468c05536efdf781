"""Split vector stores into powers of two of lanes that fit some registers of the machine.

Where a loop carries a vector of 48 floats, LLVM keeps it in memory, element by element, since no number of registers
has this length; a vector of 32 and one of 16 stay in registers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.buffer_layout import index_add, index_mul
from tvmscript.ir.core import CallEffect, Op, nodes, on
from tvmscript.ir.core.dispatch import Dispatch
from tvmscript.ir.core.targets.machine_model import MachineModel
from tvmscript.ir.core.visit import leaves, on_every
from tvmscript.ir.tir import Expr, IntImm, Stmt, TirRewriter, Var, uses
from tvmscript.ir.tir.expr import BinaryOp, Broadcast, BufferLoad, Call, Cast, Not, Ramp, Select, Shuffle
from tvmscript.ir.tir.intrin.control import if_then_else_
from tvmscript.ir.tir.operators import const
from tvmscript.ir.tir.rewrite import flatten_seq
from tvmscript.ir.tir.stmt import BufferStore, IfThenElse, LetStmt

#: a part of a vector: the first lane, and how many
_Part = tuple[int, int]


class _Whole(Exception):
    """A vector that is not split."""


class SplitVectors(TirRewriter):
    """Split vector stores whose lanes are no power of two, or are too many.

    rewrite:
        B[0:24] = A[0:24] + T.Broadcast(x, 24)     -->     B_0: T.float32x16 = A[0:16] + T.Broadcast(x, 16)
                                                           B_16: T.float32x8 = A[16:24] + T.Broadcast(x, 8)
                                                           B[0:16] = B_0
                                                           B[16:24] = B_16
    """

    def __init__(self, model: MachineModel, body: Stmt) -> None:
        super().__init__()
        self.model = model
        #: vector variables of lets, and the stores of the body that use them
        self.stores: dict[Var, list[BufferStore]] = {}
        parts = list(statements(body))
        if any(isinstance(part, LetStmt) and self.may_split(part.var.dtype.lanes) for part in parts):
            for part in parts:
                if isinstance(part, BufferStore):
                    for name in uses(part):
                        if isinstance(name, Var) and name.dtype.lanes > 1:
                            self.stores.setdefault(name, []).append(part)
        #: vector variables of lets, and the variables of their parts
        self.parts: dict[Var, dict[_Part, Var]] = {}

    @on_every(Expr)
    @leaves
    def expression(self, node: Expr) -> Expr:
        return node

    @on(LetStmt)
    def let_statement(self, node: LetStmt) -> Stmt:
        stores = self.stores.get(node.var, ())
        lanes = node.var.dtype.lanes
        using = [s for s in stores if s.value.dtype.lanes == lanes and node.var in uses((s.value, s.predicate))]
        split = self.split(using[0]) if using else ()
        if len(split) < 2 or len(using) < len(stores):
            return self.descend(node)
        try:
            values = {part: self.slice(node.value, part) for part in split}
        except _Whole:
            return self.descend(node)
        self.parts[node.var] = {part: Var(node.var.name, value.dtype) for part, value in values.items()}
        # the whole vector too, for what is not split; LLVM removes it where it is not used
        body = LetStmt(node.var, node.value, self.rewrite(node.body), span=node.span)
        return reduce(lambda inner, part: LetStmt(self.parts[node.var][part], values[part], inner), split, body)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        split = self.split(node)
        if len(split) < 2:
            return node
        try:
            values = [self.slice(node.value, part) for part in split]
            indices = [(*node.indices[:-1], self.slice(node.indices[-1], part)) for part in split]
            masks = [None if node.predicate is None else self.slice(node.predicate, part) for part in split]
        except _Whole:
            return node
        # all values before the first store, which may change what they read
        names = [
            Var(f"{node.buffer.name}_{start}", value.dtype) for (start, _), value in zip(split, values, strict=True)
        ]
        stores: list[Stmt] = []
        for name, index, mask in zip(names, indices, masks, strict=True):
            if mask is not None and mask.dtype.lanes == 1:
                stores.append(IfThenElse(mask, BufferStore(node.buffer, name, index, span=node.span)))
            else:
                stores.append(BufferStore(node.buffer, name, index, mask, span=node.span))
        body = flatten_seq(tuple(stores), node)
        for name, value in zip(reversed(names), reversed(values), strict=True):
            body = LetStmt(name, value, body, span=node.span)
        return body

    def may_split(self, lanes: int) -> bool:
        """Return whether vectors of these lanes may be split, for elements of some width."""
        least = self.model.lanes(_WIDEST_BYTES) * _WHOLE_REGISTERS
        return lanes > least or (lanes > 1 and lanes & (lanes - 1) != 0)

    def split(self, store: BufferStore) -> tuple[_Part, ...]:
        """Return the parts of a vector store; one part: it is left whole."""
        lanes = store.value.dtype.lanes
        if not self.may_split(lanes) or store.buffer.dtype.lanes != 1 or store.indices[-1].dtype.lanes != lanes:
            return ()
        most = self.model.lanes(max(_bits(store.value) + 7, 8) // 8) * _WHOLE_REGISTERS
        if most < 2 or (lanes & (lanes - 1) == 0 and lanes <= most):
            return ()
        parts: list[_Part] = []
        start = 0
        while start < lanes:
            count = min(most, 1 << ((lanes - start).bit_length() - 1))
            parts.append((start, count))
            start += count
        return tuple(parts)

    def slice(self, expr: Expr, part: _Part) -> Expr:
        """Return some lanes of a vector; a scalar is the same in all lanes. Raises `_Whole`."""
        return expr if expr.dtype.lanes == 1 else _SLICES[type(expr)](self, expr, part)


#: bytes of the widest elements
_WIDEST_BYTES: Final = 8
#: Registers that LLVM splits a power of two of lanes into as well as we do, in less time.
_WHOLE_REGISTERS = 4


def _bits(value: Expr) -> int:
    """Return the bits of the widest element in a vector computation."""
    return max(
        part.dtype.bits
        for part in (value, *nodes(value))
        if isinstance(part, (BufferLoad, Cast)) or part is value
        if isinstance(part, Expr)
    )


def _refuse(split: SplitVectors, expr: Expr, part: _Part) -> Expr:
    raise _Whole


def _slice_ramp(split: SplitVectors, expr: Ramp, part: _Part) -> Expr:
    start, count = part
    base = index_add(expr.base, index_mul(expr.stride, IntImm(expr.stride.dtype, start))) if start else expr.base
    return base if count == 1 else Ramp(base, expr.stride, count, span=expr.span)


def _slice_broadcast(split: SplitVectors, expr: Broadcast, part: _Part) -> Expr:
    return expr.value if part[1] == 1 else Broadcast(expr.value, part[1], span=expr.span)


def _slice_binary(split: SplitVectors, expr: BinaryOp, part: _Part) -> Expr:
    return type(expr)(split.slice(expr.a, part), split.slice(expr.b, part), span=expr.span)


def _slice_not(split: SplitVectors, expr: Not, part: _Part) -> Expr:
    return Not(split.slice(expr.a, part), span=expr.span)


def _slice_cast(split: SplitVectors, expr: Cast, part: _Part) -> Expr:
    return Cast(expr.dtype.with_lanes(part[1]), split.slice(expr.value, part), span=expr.span)


def _slice_select(split: SplitVectors, expr: Select, part: _Part) -> Expr:
    values = (split.slice(each, part) for each in (expr.condition, expr.true_value, expr.false_value))
    return Select(*values, span=expr.span)


def _slice_load(split: SplitVectors, expr: BufferLoad, part: _Part) -> Expr:
    if expr.buffer.dtype.lanes != 1:
        raise _Whole
    indices = (*expr.indices[:-1], split.slice(expr.indices[-1], part))
    if expr.predicate is None:
        return BufferLoad(expr.buffer, indices, span=expr.span)
    mask = split.slice(expr.predicate, part)
    if mask.dtype.lanes > 1:
        return BufferLoad(expr.buffer, indices, mask, span=expr.span)
    element = BufferLoad(expr.buffer, indices, span=expr.span)
    return if_then_else_(mask, element, const(0, element.dtype))


def _slice_call(split: SplitVectors, expr: Call, part: _Part) -> Expr:
    op = expr.op
    is_elementwise = getattr(op, "vectorizable", False) or getattr(op, "name", "") in _ELEMENTWISE
    if not isinstance(op, Op) or not is_elementwise or op.effect > CallEffect.PURE:
        raise _Whole
    return Call(expr.dtype.with_lanes(part[1]), op, tuple([split.slice(a, part) for a in expr.args]), expr.span)


def _slice_variable(split: SplitVectors, expr: Var, part: _Part) -> Expr:
    piece = split.parts.get(expr, {}).get(part)
    if piece is not None:
        return piece
    start, count = part
    return Shuffle((expr,), tuple([IntImm("int32", lane) for lane in range(start, start + count)]))


_ELEMENTWISE = frozenset({"tir.erf", "tir.rsqrt", "tir.reinterpret", "tir.if_then_else"})
_SLICES: Dispatch[Callable[[SplitVectors, Any, _Part], Expr]] = Dispatch(
    {
        Ramp: _slice_ramp,
        Broadcast: _slice_broadcast,
        BinaryOp: _slice_binary,
        Not: _slice_not,
        Cast: _slice_cast,
        Select: _slice_select,
        BufferLoad: _slice_load,
        Call: _slice_call,
        Var: _slice_variable,
    },
    default=_refuse,
)
