"""Infer the read and write regions of a block whose T.reads and T.writes are omitted.

Indices are evaluated to intervals over the loops inside of the block; accesses of one buffer are joined into one box.
Blocks inside count by the regions they state. The results contain every access; they are exact for affine indices.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import contextmanager
from typing import Any, NamedTuple

from tvmscript.ir import tir
from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.simplification.simplify import Simplifier
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import Visitor, on
from tvmscript.ir.tir.errors import UndetectableAccess
from tvmscript.ir.tir.stmt import Block, BlockRealize, BufferStore, For, IfThenElse, LetStmt, infer_regions


class Interval(NamedTuple):
    """A closed interval `[low, high]`."""

    low: tir.Expr
    high: tir.Expr


#: One interval for each dimension; None where nothing is known.
Box = list[Interval | None]


def block_access(
    block: Block, visible: dict[tir.Var, tir.Buffer]
) -> tuple[tuple[tir.BufferRegion, ...], tuple[tir.BufferRegion, ...]]:
    """Return the read and write regions of a block; `buffers` maps a data variable to its buffer outside the block.

    What a block with an init writes is not among its reads. Raises `UndetectableAccess` where an address is used.
    """
    detector = _Detector(block, visible)
    detector.detect()
    writes = detector.regions(detector.writes, ())
    reads = detector.regions(detector.reads, detector.writes if block.init is not None else ())
    return reads, writes


def read_write_regions(
    block: Block, visible: dict[tir.Var, tir.Buffer]
) -> tuple[tuple[tir.BufferRegion, ...], tuple[tir.BufferRegion, ...]]:
    """Return regions as `block_access`; buffers whose address the block uses come last, read and written completely.

    This is TVM's GetBlockReadWriteRegion.
    """
    reads, writes, opaque = access_regions(block, visible)
    return (*reads, *opaque), (*writes, *opaque)


def access_regions(
    block: Block, visible: dict[tir.Var, tir.Buffer]
) -> tuple[tuple[tir.BufferRegion, ...], tuple[tir.BufferRegion, ...], tuple[tir.BufferRegion, ...]]:
    """Return read regions, write regions, and the buffers whose address the block uses.

    This is TVM's GetBlockAccessRegion.
    """
    detector = _Detector(block, visible, is_opaque=True)
    detector.detect()
    opaque = detector.regions(detector.opaque, ())
    writes = detector.regions(detector.writes, detector.opaque)
    reads = detector.regions(detector.reads, {**detector.opaque, **(detector.writes if block.init is not None else {})})
    return reads, writes, opaque


class _Detector(Visitor):
    def __init__(self, block: Block, visible: dict[tir.Var, tir.Buffer], *, is_opaque: bool = False) -> None:
        self.block = block
        #: whether the use of an address counts as an access of all; it is refused otherwise
        self.is_opaque = is_opaque
        self.opaque: dict[tir.Buffer, Box] = {}
        #: data variable -> the buffer that is counted; as it was given where the block matches none itself
        self.visible = dict(visible) if block.match_buffers else visible
        self.matched: dict[tir.Var, tir.BufferRegion] = {}
        for match in block.match_buffers:
            if match.source.buffer.data in self.visible:
                self.matched[match.buffer.data] = match.source
                self.visible[match.buffer.data] = match.buffer
        #: without facts about the variables
        self.analyzer = Analyzer()
        self.domains: dict[tir.Var, Interval] = {}
        #: variables that the block defines -> their intervals, where they are known
        self.lets: dict[tir.Var, Interval | None] = {}
        #: variables that the block defines -> their values, in variables from outside of the block
        self.let_values: dict[tir.Var, tir.Expr] = {}
        self.reads: dict[tir.Buffer, Box] = {}
        self.writes: dict[tir.Buffer, Box] = {}

    def detect(self) -> None:
        """Visit what the block executes. As in TVM, what domains and regions load counts, before all else."""
        for axis in self.block.iter_vars:
            if axis.dom is not None and not (
                isinstance(axis.dom.min, tir.IntImm) and isinstance(axis.dom.extent, tir.IntImm)
            ):
                self.visit(axis.dom.min)
                self.visit(axis.dom.extent)
        for region in (*self.block.reads, *self.block.writes):
            for part in region.region:
                self.visit(part.min)
                self.visit(part.extent)
        if self.block.init is not None:
            self.visit(self.block.init)
        self.visit(self.block.body)

    def define(self, name: object) -> None:
        """Declarations inside of the block access nothing."""

    # statements and expressions

    @on(tir.BufferLoad)
    def load(self, node: tir.BufferLoad) -> None:
        self.touch(self.reads, node.buffer, [self.interval(index) for index in node.indices])
        self.walk(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.touch(self.writes, node.buffer, [self.interval(index) for index in node.indices])
        self.visit(node.value)
        for index in node.indices:
            self.visit(index)

    @on(For)
    def loop(self, node: For) -> None:
        first = self.interval(node.min)
        last = self.interval(fold.sub(fold.add(node.min, node.extent), tir.IntImm(node.extent.dtype, 1)))
        if first is not None and last is not None:
            self.domains[node.loop_var] = Interval(first.low, last.high)
        self.walk(node)
        self.domains.pop(node.loop_var, None)

    @on(LetStmt, tir.Let)
    def let(self, node: LetStmt | tir.Let) -> None:
        """Record the value and its interval: the variable is not defined outside of the block."""
        self.visit(node.value)
        self.lets[node.var] = self.interval(node.value) if node.var.dtype.is_integer else None
        self.let_values[node.var] = self.inlined(node.value)
        self.visit(node.body)

    def inlined(self, expr: tir.Expr) -> tir.Expr:
        """Return an expression with the values of the variables that the block defines."""
        return tir.substitute(expr, self.let_values) if self.let_values else expr

    @on(IfThenElse)
    def choice(self, node: IfThenElse) -> None:
        self.visit(node.condition)
        with self.assuming(node.condition, True):
            self.visit(node.then_case)
        if node.else_case is not None:
            with self.assuming(node.condition, False):
                self.visit(node.else_case)

    @on(tir.Call)
    def call(self, node: tir.Call) -> None:
        rule = _CALLS.get(getattr(node.op, "name", ""))
        if rule is None or not rule(self, node.args):
            self.walk(node)

    @on(tir.Var)
    def variable(self, node: tir.Var) -> None:
        buffer = self.visible.get(node)
        if buffer is None:
            return
        if self.is_opaque:
            self.touch(self.opaque, buffer, [None] * len(buffer.shape))
            return
        raise UndetectableAccess(
            block=self.block.name_hint, buffer=buffer.name, span=self.block.span, hint="write its T.reads and T.writes"
        )

    @on(BlockRealize)
    def inner(self, node: BlockRealize) -> None:
        axes = [axis.var for axis in node.block.iter_vars]
        values = dict(zip(axes, node.iter_values, strict=True))
        for touched, regions in ((self.reads, node.block.reads), (self.writes, node.block.writes)):
            for region in regions:
                box = [self.span_of(tir.substitute(part, values)) for part in region.region]
                self.touch(touched, region.buffer, box)

    # boxes

    def touch(self, touched: dict[tir.Buffer, Box], buffer: tir.Buffer, box: Box) -> None:
        """Join a box to what is known of a buffer."""
        if buffer.data not in self.visible:
            return
        source = self.matched.get(buffer.data)
        if source is not None:
            box = self.through(source, box)
            buffer = source.buffer
        old_box = touched.get(buffer)
        touched[buffer] = box if old_box is None else [self.join(a, b) for a, b in zip(old_box, box, strict=True)]

    def through(self, source: tir.BufferRegion, box: Box) -> Box:
        """Return the box of the source buffer for a box of the matched buffer."""
        skipped = len(source.region) - len(box)
        source_box: Box = [self.span_of(part) for part in source.region[:skipped]]
        for part, inner in zip(source.region[skipped:], box, strict=True):
            if inner is None:
                source_box.append(self.span_of(part))
            else:
                source_box.append(Interval(fold.add(part.min, inner.low), fold.add(part.min, inner.high)))
        return source_box

    def span_of(self, part: tir.Range) -> Interval | None:
        """Return the interval of all values of a range."""
        low, extent = self.interval(part.min), self.simplest(part.extent)
        if low is None or (isinstance(extent, tir.IntImm) and extent.value == 1):
            return low
        high = self.interval(fold.sub(fold.add(part.min, extent), tir.IntImm(extent.dtype, 1)))
        return None if high is None else Interval(low.low, high.high)

    def join(self, a: Interval | None, b: Interval | None) -> Interval | None:
        if a is None or b is None:
            return None
        if expr_deep_equal(a.low, b.low) and expr_deep_equal(a.high, b.high):
            # a point as it is written, twice: joined boxes are in simplest form
            point = self.simplest(a.low) if a.low is a.high else a.low
            return Interval(point, point if a.low is a.high else a.high)
        return Interval(self.extremum(tir.Min, a.low, b.low), self.extremum(tir.Max, a.high, b.high))

    def extremum(self, cls: type[tir.Min | tir.Max], a: tir.Expr, b: tir.Expr) -> tir.Expr:
        """Return the minimum (maximum) of two ends: one of them if their order is provable."""
        if expr_deep_equal(a, b):
            return a
        if a.dtype is not b.dtype:
            return fold.make(cls, *_widened(a, b))
        for first, second in ((a, b), (b, a)):
            if self.analyzer.can_prove(tir.LE(first, second)):
                return first if cls is tir.Min else second
        return fold.make(cls, a, b)

    def regions(self, touched: dict[tir.Buffer, Box], without: Collection[tir.Buffer]) -> tuple[tir.BufferRegion, ...]:
        """Return the boxes as regions, in the order of their first accesses."""
        return tuple(
            tir.BufferRegion(buffer, tuple(map(self.range_of, box, buffer.shape)))
            for buffer, box in touched.items()
            if buffer not in without
        )

    def range_of(self, interval: Interval | None, extent: tir.Expr) -> tir.Range:
        """Return an interval as a range; the whole dimension if it is unknown."""
        if interval is None:
            return tir.Range.from_extent(extent)
        low, high = interval
        if low is high or expr_deep_equal(low, high):
            return tir.Range.from_min_extent(low, tir.IntImm(low.dtype, 1))
        low, high = _widened(self.simplest(low), high)
        size = fold.sub(fold.add(high, tir.IntImm(high.dtype, 1)), low)
        return tir.Range.from_min_extent(low, self.analyzer.simplify(size))

    def simplest(self, end: tir.Expr) -> tir.Expr:
        return end if isinstance(end, tir.Var) else self.analyzer.simplify(end)

    # intervals

    def interval(self, expr: tir.Expr) -> Interval | None:
        """Return the interval of an index over the loops inside of the block; None if it is unknown."""
        rule = _INTERVALS.get(type(expr))
        return None if rule is None else rule(self, expr)

    @contextmanager
    def assuming(self, condition: tir.Expr, holds: bool) -> Any:
        """Narrow the domains of loop variables by a condition."""
        before = dict(self.domains)
        self.narrow(condition, holds)
        yield
        self.domains = before

    def narrow(self, condition: tir.Expr, holds: bool) -> None:
        if isinstance(condition, tir.Call) and getattr(condition.op, "name", "") == "tir.likely":
            self.narrow(condition.args[0], holds)
        elif isinstance(condition, tir.Not):
            self.narrow(condition.a, not holds)
        elif isinstance(condition, tir.And):
            if holds:
                self.narrow(condition.a, True)
                self.narrow(condition.b, True)
        elif isinstance(condition, (tir.LT, tir.LE, tir.GT, tir.GE)):
            self.narrow_comparison(condition, holds)

    def narrow_comparison(self, condition: tir.CompareOp, holds: bool) -> None:
        """Narrow the domain of a loop variable by a comparison with a constant."""
        kind: type[tir.BinaryOp] = type(condition)
        left, right = condition.a, condition.b
        if isinstance(right, tir.Var) and right in self.domains:
            kind, left, right = fold.MIRRORED[kind], right, left
        if not isinstance(left, tir.Var) or not isinstance(right, tir.IntImm):
            return
        if not holds:
            kind = fold.OPPOSITE[kind]
        domain = self.domains.get(left)
        if domain is None:
            return
        limit = right.value + _NEXT.get(kind, 0)
        bound = tir.IntImm(right.dtype, limit)
        if kind in (tir.LT, tir.LE) and isinstance(domain.high, tir.IntImm) and limit < domain.high.value:
            self.domains[left] = Interval(domain.low, bound)
        elif kind in (tir.GT, tir.GE) and isinstance(domain.low, tir.IntImm) and limit > domain.low.value:
            self.domains[left] = Interval(bound, domain.high)


#: offset from the limit of a strict comparison to the last value that satisfies it
_NEXT: dict[type, int] = {tir.LT: -1, tir.GT: 1}


def _widened(a: tir.Expr, b: tir.Expr) -> tuple[tir.Expr, tir.Expr]:
    """Convert both to the wider dtype."""
    if a.dtype is b.dtype:
        return a, b
    dtype = a.dtype if a.dtype.bits >= b.dtype.bits else b.dtype
    return (a, _cast(b, dtype)) if a.dtype is dtype else (_cast(a, dtype), b)


def _cast(expr: tir.Expr, dtype: Any) -> tir.Expr:
    return tir.IntImm(dtype, expr.value) if isinstance(expr, tir.IntImm) else tir.Cast(dtype, expr)


def _point(detector: _Detector, expr: Any) -> Interval:
    return Interval(expr, expr)


def _variable(detector: _Detector, expr: tir.Var) -> Interval | None:
    if expr in detector.lets:
        return detector.lets[expr]
    return detector.domains.get(expr) or Interval(expr, expr)


#: (interval of a, interval of b) -> interval of the operation; None if it is unknown
Ends = Callable[[Interval, Interval], Interval | None]


def _binary(ends: Ends) -> Callable[[_Detector, Any], Interval | None]:
    """Return the rule of an operation; operations that are independent of inner loops are points."""

    def rule(detector: _Detector, expr: tir.BinaryOp) -> Interval | None:
        a, b = detector.interval(expr.a), detector.interval(expr.b)
        if a is None or b is None:
            return None
        if a.low is expr.a and a.high is expr.a and b.low is expr.b and b.high is expr.b:
            return Interval(expr, expr)
        if detector.lets and a.low is a.high and b.low is b.high:
            point = fold.make(type(expr), a.low, b.low)
            return Interval(point, point)
        return ends(a, b)

    return rule


def _add(a: Interval, b: Interval) -> Interval:
    return Interval(fold.add(a.low, b.low), fold.add(a.high, b.high))


def _sub(a: Interval, b: Interval) -> Interval:
    return Interval(fold.sub(a.low, b.high), fold.sub(a.high, b.low))


def _mul(a: Interval, b: Interval) -> Interval | None:
    if a.low is a.high:
        a, b = b, a
    factor = b.low
    if factor is not b.high or not isinstance(factor, tir.IntImm):
        return None
    low, high = fold.mul(a.low, factor), fold.mul(a.high, factor)
    return Interval(low, high) if factor.value >= 0 else Interval(high, low)


def _divisor(b: Interval) -> tir.IntImm | None:
    return b.low if b.low is b.high and isinstance(b.low, tir.IntImm) and b.low.value > 0 else None


def _floordiv(a: Interval, b: Interval) -> Interval | None:
    divisor = _divisor(b)
    if divisor is None:
        return None
    low, high = fold.make(tir.FloorDiv, a.low, divisor), fold.make(tir.FloorDiv, a.high, divisor)
    return Interval(low, low) if _equal(low, high) else Interval(low, high)


def _equal(a: tir.Expr, b: tir.Expr) -> bool:
    return expr_deep_equal(a, b) or fold.is_const(Simplifier().simplify(fold.sub(a, b)), 0)


def _div(a: Interval, b: Interval) -> Interval | None:
    divisor = _divisor(b)
    return (
        None if divisor is None else Interval(fold.make(tir.Div, a.low, divisor), fold.make(tir.Div, a.high, divisor))
    )


def _unknown(a: Interval, b: Interval) -> None:
    """Return None: the interval is known only for operations that are independent of inner loops."""


def _load(detector: _Detector, expr: tir.BufferLoad) -> Interval | None:
    """Return the element as a point if its indices are independent of inner loops."""
    load = detector.inlined(expr)
    return Interval(load, load) if tir.uses(load).isdisjoint(detector.domains) else None


def _floormod(a: Interval, b: Interval) -> Interval | None:
    divisor = _divisor(b)
    if divisor is None:
        return None
    first, last = fold.make(tir.FloorDiv, a.low, divisor), fold.make(tir.FloorDiv, a.high, divisor)
    if _equal(first, last):
        skipped = fold.mul(first, divisor)
        return Interval(fold.sub(a.low, skipped), fold.sub(a.high, skipped))
    return Interval(tir.IntImm(divisor.dtype, 0), tir.IntImm(divisor.dtype, divisor.value - 1))


def _min(a: Interval, b: Interval) -> Interval:
    return Interval(fold.make(tir.Min, a.low, b.low), fold.make(tir.Min, a.high, b.high))


def _max(a: Interval, b: Interval) -> Interval:
    return Interval(fold.make(tir.Max, a.low, b.low), fold.make(tir.Max, a.high, b.high))


def _select(detector: _Detector, expr: tir.Select) -> Interval | None:
    return detector.join(detector.interval(expr.true_value), detector.interval(expr.false_value))


def _convert(detector: _Detector, expr: tir.Cast) -> Interval | None:
    inner = detector.interval(expr.value) if expr.value.dtype.is_integer else None
    if inner is None:
        return None
    if inner.low is expr.value and inner.high is expr.value:
        return Interval(expr, expr)
    if expr.dtype.bits < expr.value.dtype.bits:
        return None
    return Interval(_cast(inner.low, expr.dtype), _cast(inner.high, expr.dtype))


def _ramp(detector: _Detector, expr: tir.Ramp) -> Interval | None:
    base = detector.interval(expr.base)
    if base is None or not isinstance(expr.stride, tir.IntImm) or expr.dtype.is_scalable:
        return None
    reach = tir.IntImm(expr.stride.dtype, expr.stride.value * (expr.lanes - 1))
    if reach.value < 0:
        return Interval(fold.add(base.low, reach), base.high)
    return Interval(base.low, fold.add(base.high, reach))


def _broadcast(detector: _Detector, expr: tir.Broadcast) -> Interval | None:
    return detector.interval(expr.value)


_INTERVALS: dict[type, Any] = {
    tir.IntImm: _point,
    **dict.fromkeys((tir.Var, tir.SizeVar), _variable),
    tir.Add: _binary(_add),
    tir.Sub: _binary(_sub),
    tir.Mul: _binary(_mul),
    tir.BufferLoad: _load,
    tir.Div: _binary(_div),
    tir.Mod: _binary(_unknown),
    tir.FloorDiv: _binary(_floordiv),
    tir.FloorMod: _binary(_floormod),
    tir.Min: _binary(_min),
    tir.Max: _binary(_max),
    tir.Select: _select,
    tir.Cast: _convert,
    tir.Ramp: _ramp,
    tir.Broadcast: _broadcast,
}


def _if_then_else(detector: _Detector, args: tuple[tir.Expr, ...]) -> bool:
    detector.visit(args[0])
    for holds, value in ((True, args[1]), (False, args[2])):
        with detector.assuming(args[0], holds):
            detector.visit(value)
    return True


def _access_ptr(detector: _Detector, args: tuple[tir.Expr, ...]) -> bool:
    """Count the whole buffer as read or written, by the mask of `tvm_access_ptr`."""
    data, mask = args[1], args[4]
    if not isinstance(data, tir.Var) or not isinstance(mask, tir.IntImm):
        return False
    buffer = detector.visible.get(data)
    if buffer is not None:
        whole: Box = [None] * len(buffer.shape)
        if mask.value & 1 and mask.value & 2:
            detector.variable(data)
            return True
        if mask.value & 1:
            detector.touch(detector.reads, buffer, whole)
        if mask.value & 2:
            detector.touch(detector.writes, buffer, whole)
    return True


_CALLS: dict[str, Any] = {"tir.if_then_else": _if_then_else, "tir.tvm_access_ptr": _access_ptr}


infer_regions.fill(block_access)
