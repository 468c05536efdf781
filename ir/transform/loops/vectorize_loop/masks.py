"""Masks of vector loads and stores for a condition on the lanes."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import BOOL, CallEffect, Op, nodes, on
from tvmscript.ir.tir import BufferStore, Expr, For, LetStmt, SeqStmt, Stmt, TirRewriter
from tvmscript.ir.tir.expr import LT, Broadcast, BufferLoad, Call, Div, FloatImm, FloorDiv, FloorMod, IntImm, Mod, Ramp

_DIVISIONS: Final = (Div, FloorDiv, FloorMod, Mod)
#: statements that may run for inactive lanes
_PLAIN: Final = (BufferStore, For, LetStmt, SeqStmt)


def apply_mask(body: Stmt, condition: Expr) -> Stmt | None:
    """Mask every access of `body`, for `if Ramp(base, 1, lanes) < Broadcast(limit, lanes): body`.

    Return None if an access is not to consecutive elements from `base` on or has a mask already, or if the statement
    does more than loads, stores and arithmetic.
    """
    if not isinstance(condition, LT):
        return None
    lanes, limit = condition.a, condition.b
    if not isinstance(lanes, Ramp) or not isinstance(limit, Broadcast) or not is_const(lanes.stride, 1):
        return None
    if not _can_run_without_condition(body):
        return None
    rewriter = _MaskRewriter(lanes, limit.value)
    stmt: Stmt = rewriter.rewrite(body)
    return stmt if rewriter.has_any and rewriter.has_all else None


def _can_run_without_condition(body: Stmt) -> bool:
    """Return whether only loads and stores need masks. An inactive lane loads 0, so no integer may be divided by it."""
    for node in nodes(body):
        if isinstance(node, Stmt) and not isinstance(node, _PLAIN):
            return False
        if isinstance(node, Call) and not (isinstance(node.op, Op) and node.op.effect <= CallEffect.READ_STATE):
            return False
        if isinstance(node, _DIVISIONS) and node.dtype.is_integer and not _is_number(node.b):
            return False
    return True


def _is_number(divisor: Expr) -> bool:
    value = divisor.value if isinstance(divisor, Broadcast) else divisor
    return isinstance(value, (IntImm, FloatImm))


class _MaskRewriter(TirRewriter):
    def __init__(self, lanes: Ramp, limit: Expr) -> None:
        super().__init__()
        self.lanes = lanes
        self.analyzer = Analyzer()
        self.mask = Call(
            BOOL.with_lanes(lanes.lanes), Op.get("tir.get_active_lane_mask"), (lanes.base, limit), lanes.span
        )
        self.has_any = False
        self.has_all = True

    def is_maskable(self, node: BufferLoad | BufferStore) -> bool:
        """Return whether an access is to the lanes of the mask."""
        matches = (
            node.predicate is None
            and len(node.indices) == 1
            and node.buffer.dtype.lanes == 1
            and self.is_lanes(node.indices[0])
        )
        self.has_any |= matches
        self.has_all &= matches
        return matches

    def is_lanes(self, index: Expr) -> bool:
        """Return whether an index equals the one that the condition compares."""
        if not isinstance(index, Ramp) or not is_const(index.stride, 1) or index.dtype is not self.lanes.dtype:
            return False
        return self.analyzer.can_prove_equal(index.base, self.lanes.base)

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if not self.is_maskable(node):
            return node
        return BufferLoad(node.buffer, node.indices, self.mask, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if not self.is_maskable(node):
            return node
        return BufferStore(node.buffer, self.rewrite(node.value), node.indices, self.mask, span=node.span)
