"""Match statements of kernels with patterns, kernels whose scalar parameters stand for sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tvmscript.ir.schedule.analysis.match_intrinsic import IntrinsicMatcher, Mismatch
from tvmscript.ir.tir import Buffer, Expr, IntImm, PrimFunc, Stmt, Var
from tvmscript.ir.tir.stmt import BlockRealize


@dataclass(frozen=True)
class MatchResult:
    """A statement that matches a pattern."""

    pattern: PrimFunc
    #: values of the scalar parameters of the pattern
    symbol_values: Sequence[Expr]
    #: buffers of the statement, in the order of the parameters of the pattern
    matched_buffers: Sequence[Buffer]


def match_statement(pattern: PrimFunc, stmt: Stmt) -> MatchResult | None:
    """Match a statement with the body of a pattern; None where they differ."""
    body = pattern.body.block.body if isinstance(pattern.body, BlockRealize) else pattern.body
    matcher = _PatternMatcher(pattern)
    try:
        matcher.visit(stmt, body)
    except Mismatch:
        return None
    sizes = [param for param in pattern.params if param not in pattern.buffer_map]
    buffers = [pattern.buffer_map[param] for param in pattern.params if param in pattern.buffer_map]
    if not all(size in matcher.sizes for size in sizes) or not all(buffer in matcher.buffers for buffer in buffers):
        return None
    return MatchResult(
        pattern, [matcher.sizes[size] for size in sizes], [matcher.buffers[buffer] for buffer in buffers]
    )


class _PatternMatcher(IntrinsicMatcher):
    """Comparison of a statement with a pattern; it binds `sizes` too."""

    def __init__(self, pattern: PrimFunc) -> None:
        super().__init__()
        self.pattern = pattern
        #: scalar parameter of the pattern -> its value
        self.sizes: dict[Var, Expr] = {}

    def visit(self, ours: Any, theirs: Any) -> None:
        if isinstance(theirs, Var) and theirs in self.pattern.params and isinstance(ours, Expr):
            size = self.sizes.get(theirs)
            if size is None and ours.dtype is theirs.dtype:
                self.sizes[theirs] = ours
                self._analyzer.bind(theirs, ours)
            elif size is None or not self._equal(ours, size):
                raise self._differ(f"it has {ours} where the pattern has {theirs}")
            return
        super().visit(ours, theirs)

    def _buffer(self, ours: Buffer, theirs: Buffer) -> None:
        super()._buffer(ours, theirs)
        if ours not in self.bases:
            if len(ours.shape) != len(theirs.shape):
                raise self._differ(f"{ours.name} has another rank than {theirs.name}")
            self.bases[ours] = [IntImm(size.dtype, 0) for size in ours.shape]
            self.visit(ours.shape, theirs.shape)
