"""Compute the accessed box of each allocated buffer, the extents that have to be allocated.

A box is seen from the place of the allocation: it may depend on the loops around it, not on those inside. Memory that
threads share has to hold what all of them access: loops over such threads count as loops inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tvmscript.ir import tir
from tvmscript.ir.arith.simplification.simplify import Simplifier
from tvmscript.ir.arith.simplification.symbolic_bounds import SymbolicBounds, infer_bounds, unite_bounds
from tvmscript.ir.arith.sums.extremum import simplify_extremum
from tvmscript.ir.arith.sums.linear_form import ZERO, Linear, constant
from tvmscript.ir.core import INT32, CallEffect, DType, Op, Visitor, nodes, on

#: First index and number of indices of each dimension.
AccessedBox = tuple[tuple[tir.Expr, tir.Expr], ...]

_DIVISIONS: Final = (tir.Div, tir.FloorDiv, tir.FloorMod, tir.Mod)
#: classes of nodes that name buffers
_WITH_BUFFERS: Final = frozenset({tir.BufferLoad, tir.BufferStore, tir.DeclBuffer, tir.Block})
#: distances of ends of boxes at most of which the largest one is looked for: each pair of them is compared by cases
_MOST_DISTANCES: Final = 4
#: scopes of memory on the chip of a device
ON_CHIP: Final = ("shared", "local", "warp")
_NO_ENDS: Final[SymbolicBounds] = (None, None)


@dataclass
class _Use:
    """Accesses of an allocated buffer."""

    buffer: tir.Buffer
    #: number of loops around the allocation
    depth: int
    #: ends of each access for each dimension, under the conditions of the access
    boxes: list[list[SymbolicBounds]] = field(default_factory=list)


@dataclass(frozen=True)
class _Loop:
    var: tir.Var
    ends: SymbolicBounds
    #: "threadIdx.x", ..., empty for a loop of the program
    thread: str


def shares(scope: str, thread: str) -> bool:
    """Return whether all threads of this tag see the same memory of a storage scope."""
    if not thread:
        return False
    if scope.startswith("warp"):
        return thread == "threadIdx.x"
    if scope.startswith("shared"):
        return not tir.is_block_axis(thread)
    return scope.startswith("global")


def accessed_boxes(
    body: tir.Stmt, *, is_strict: bool, is_constant_on_chip: bool = False
) -> dict[tir.Buffer, AccessedBox]:
    """Return the box around all accesses of each accessed buffer that is allocated in the body.

    A dimension of which too little is known is taken as it is. With `is_strict` boxes lie inside of their buffers:
    there are no accesses outside. With `is_constant_on_chip` sizes of memory that a device has on its chip are the
    largest ones that are possible. Blocks have no axes and inits.
    """
    collector = _Collector(body, is_strict, is_constant_on_chip)
    collector.visit(body)
    return collector.boxes


class _Collector(Visitor):
    def __init__(self, body: tir.Stmt, is_strict: bool, is_constant_on_chip: bool) -> None:
        self.is_strict = is_strict
        self.is_constant_on_chip = is_constant_on_chip
        self.simplifier = Simplifier()
        #: loops around the statement at hand, outermost first
        self.loops: list[_Loop] = []
        #: values of variables that are not loops
        self.lets: dict[tir.Var, SymbolicBounds] = {}
        self.used: dict[tir.Buffer, _Use] = {}
        self.boxes: dict[tir.Buffer, AccessedBox] = {}
        #: data variable -> the buffers over it
        self.by_data = _buffers(body)
        #: what the innermost block around says that it reads and writes of a buffer
        self.stated: dict[tir.Buffer, list[tir.BufferRegion]] = {}

    # -- where things are

    @on(tir.For)
    def loop(self, node: tir.For) -> None:
        self.visit(node.min)
        self.visit(node.extent)
        binding = node.thread_binding if node.kind is tir.ForKind.THREAD_BINDING else None
        self.enter(
            node.loop_var,
            tir.Range.from_min_extent(node.min, node.extent),
            "" if binding is None else binding.thread_tag,
        )
        self.visit(node.body)
        self.loops.pop()

    def enter(self, var: tir.Var, domain: tir.Range, thread: str) -> None:
        """From here on a variable runs over a range."""
        self.simplifier.facts.bind_range(var, domain)
        first = self.simplifier.linear(domain.min)
        last = first.plus(self.simplifier.linear(domain.extent)).shifted(-1)
        self.loops.append(_Loop(var, (first, last), thread))

    @on(tir.AttrStmt)
    def attribute(self, node: tir.AttrStmt) -> None:
        about: Any = node.node
        if not isinstance(about, tir.IterVar) or node.attr_key not in tir.LAUNCHES:
            self.walk(node)
            return
        self.visit(node.value)
        self.enter(about.var, about.dom or tir.Range.from_extent(node.value), about.thread_tag)
        self.visit(node.body)
        self.loops.pop()

    @on(tir.LetStmt, tir.Let)
    def let(self, node: tir.LetStmt | tir.Let) -> None:
        self.visit(node.value)
        if node.value.dtype.is_integer and node.value.dtype.lanes == 1:
            value = self.simplifier.linear(node.value)
            # what is read from memory is not known where the buffer is allocated
            is_read = any(isinstance(part, tir.BufferLoad) for part in nodes(node.value))
            self.lets[node.var] = self.constant_ends(value) if is_read else (value, value)
        self.visit(node.body)
        self.lets.pop(node.var, None)

    def constant_ends(self, value: Linear) -> SymbolicBounds:
        low, high = self.simplifier.sums.bounds(value)
        return None if low is None else constant(low), None if high is None else constant(high)

    @on(tir.IfThenElse)
    def branch(self, node: tir.IfThenElse) -> None:
        self.visit(node.condition)
        with self.simplifier.facts.assuming(node.condition):
            self.visit(node.then_case)
        if node.else_case is not None:
            with self.simplifier.facts.assuming(node.condition, False):
                self.visit(node.else_case)

    @on(tir.Select)
    def select(self, node: tir.Select) -> None:
        self.choice(node.condition, node.true_value, node.false_value)

    @on(tir.Call)
    def call(self, node: tir.Call) -> None:
        if isinstance(node.op, Op) and node.op.name == "tir.if_then_else":
            self.choice(*node.args)
            return
        self.walk(node)
        if isinstance(node.op, Op) and node.op.name == "tir.address_of" and isinstance(node.args[0], tir.BufferLoad):
            self.address(node.args[0].buffer)

    def choice(self, condition: tir.Expr, true_value: tir.Expr, false_value: tir.Expr) -> None:
        self.visit(condition)
        for value, holds in ((true_value, True), (false_value, False)):
            with self.simplifier.facts.assuming(condition, holds):
                self.visit(value)

    @on(tir.BlockRealize)
    def realize(self, node: tir.BlockRealize) -> None:
        with self.simplifier.facts.assuming(node.predicate):
            self.visit(node.predicate)
            self.visit(node.block)

    @on(tir.Block)
    def block(self, node: tir.Block) -> None:
        outer, self.stated = self.stated, dict(self.stated)
        stated: dict[tir.Buffer, list[tir.BufferRegion]] = {}
        for region in (*node.reads, *node.writes):
            stated.setdefault(region.buffer, []).append(region)
        self.stated.update(stated)
        for buffer in node.alloc_buffers:
            self.used[buffer] = _Use(buffer, len(self.loops))
        for match in node.match_buffers:
            self.access(match.source)
        self.visit(node.body)
        self.stated = outer
        for buffer in node.alloc_buffers:
            self.close(buffer)

    @on(tir.Allocate)
    def allocate(self, node: tir.Allocate) -> None:
        buffers = list(self.by_data.get(node.buffer_var, ()))
        if len(buffers) != 1 or buffers[0].dtype is not node.dtype or node.buffer_var is not buffers[0].data:
            self.walk(node)
            return
        self.used[buffers[0]] = _Use(buffers[0], len(self.loops))
        self.visit(node.body)
        self.close(buffers[0])

    # -- accesses

    @on(tir.BufferLoad)
    def load(self, node: tir.BufferLoad) -> None:
        for index in node.indices:
            self.visit(index)
        self.point(node.buffer, node.indices)

    @on(tir.BufferStore)
    def store(self, node: tir.BufferStore) -> None:
        self.visit(node.value)
        for index in node.indices:
            self.visit(index)
        self.point(node.buffer, node.indices)

    def point(self, buffer: tir.Buffer, indices: tuple[tir.Expr, ...]) -> None:
        use = self.used.get(buffer)
        if use is not None:
            domains = self.domains(use)
            use.boxes.append([self.ends(index, index, domains) for index in indices])

    def access(self, region: tir.BufferRegion) -> None:
        """All of a region is accessed."""
        use = self.used.get(region.buffer)
        if use is not None:
            domains = self.domains(use)
            use.boxes.append([self.ends(part.min, _last(part), domains) for part in region.region])

    @on(tir.BufferRegion)
    def region(self, node: tir.BufferRegion) -> None:
        """Count the region of a block if the address of the buffer is used."""

    @on(tir.Var)
    def variable(self, node: tir.Var) -> None:
        for buffer in self.by_data.get(node, ()):
            for region in self.stated.get(buffer) or [tir.BufferRegion.full(buffer)]:
                self.access(region)

    def address(self, buffer: tir.Buffer) -> None:
        """Count what may be accessed from the address of an element: an element alone is what inference says of it."""
        regions = [region for region in self.stated.get(buffer, ()) if not _is_element(region)]
        for region in regions or [tir.BufferRegion.full(buffer)]:
            self.access(region)

    @on(tir.Buffer)
    def name(self, node: tir.Buffer) -> None:
        """Used buffers are looked at where they are accessed."""

    def define(self, name: object) -> None:
        """Definitions access nothing."""

    def domains(self, use: _Use) -> dict[tir.Var, SymbolicBounds]:
        """Return the bounds of the variables that vary during the lifetime of a buffer."""
        scope = use.buffer.storage_scope
        ends = {loop.var: loop.ends for loop in self.loops[: use.depth] if shares(scope, loop.thread)}
        ends.update({loop.var: loop.ends for loop in self.loops[use.depth :]})
        return ends | self.lets

    def ends(self, first: tir.Expr, last: tir.Expr, domains: dict[tir.Var, SymbolicBounds]) -> SymbolicBounds:
        """The least and the greatest index from first to last over the loops inside of the allocation."""
        linear = self.simplifier.linear
        if isinstance(first, tir.Ramp) and isinstance(first.stride, tir.IntImm) and not first.dtype.is_scalable:
            reach = first.stride.value * (first.lanes - 1)
            low, high = infer_bounds(self.simplifier, linear(first.base), domains)
            return (
                None if low is None else low.shifted(min(reach, 0)),
                None if high is None else high.shifted(max(reach, 0)),
            )
        if first.dtype.lanes != 1:
            return _NO_ENDS
        low, high = self.enclosed(linear(first), domains)
        return low, high if first is last else self.enclosed(linear(last), domains)[1]

    def enclosed(self, index: Linear, domains: dict[tir.Var, SymbolicBounds]) -> SymbolicBounds:
        """An enclosure of an index; conditions on sums count where its ends are constants."""
        low, high = infer_bounds(self.simplifier, index, domains)
        index_bounds = self.simplifier.sums.bounds(index)
        if low is not None and low.is_const and index_bounds.low is not None:
            low = constant(max(low.const, index_bounds.low))
        if high is not None and high.is_const and index_bounds.high is not None:
            high = constant(min(high.const, index_bounds.high))
        return low, high

    # -- boxes

    def close(self, buffer: tir.Buffer) -> None:
        """All accesses of a buffer are known."""
        use = self.used.pop(buffer)
        if not use.boxes:
            return
        # what holds at one access need not hold at another one
        outer = {loop.var for loop in self.loops}
        parts = zip(buffer.shape, zip(*use.boxes, strict=True), strict=True)
        is_constant = self.is_constant_on_chip and buffer.storage_scope.startswith(ON_CHIP)
        self.boxes[buffer] = tuple([self.dimension(ends, extent, outer, is_constant) for extent, ends in parts])

    def dimension(
        self, boxes: Sequence[SymbolicBounds], extent: tir.Expr, outer: set[tir.Var], is_constant: bool
    ) -> tuple[tir.Expr, tir.Expr]:
        """First index and number of indices of a dimension, which is constant if it has to be and has a bound."""
        whole, sums = (tir.IntImm(extent.dtype, 0), extent), self.simplifier.sums
        dtype = self.index_dtype(boxes, extent)
        if dtype is None:
            return whole
        low, high = boxes[0]
        for box in boxes[1:]:
            low, high = unite_bounds(self.simplifier, ((low, high), box), dtype)
            if low is None or high is None or self.count_distances(low, high) > _MOST_DISTANCES:
                return whole
        if low is None or high is None:
            return whole
        size = self.size(low, high, dtype)
        if self.is_strict:
            limit = self.simplifier.linear(extent)
            if not sums.is_at_most_zero(low.times(-1)):
                low = simplify_extremum(self.simplifier.writer, tir.Max, [ZERO, low], dtype)
            if not (sums.is_at_most_zero(size.plus(limit, -1)) or sums.is_at_most_zero(size.shifted(-_least(extent)))):
                if size.const < 0 and not size.is_const:  # loops without iterations access nothing
                    size = simplify_extremum(self.simplifier.writer, tir.Max, [ZERO, size], dtype)
                size = simplify_extremum(self.simplifier.writer, tir.Min, [limit, size], dtype)
        count, first = self.count(size, dtype, outer, is_constant), self.simplifier.writer.write(low, dtype)
        if count is None or not (isinstance(count, tir.IntImm) or _is_plain(first)):
            return whole
        return first, tir.cast(extent.dtype, count)

    def index_dtype(self, boxes: Sequence[SymbolicBounds], extent: tir.Expr) -> DType | None:
        """Return the dtype of the variables in all bounds of a dimension, None where they differ.

        It is not the extent's after a pass that narrows loops and leaves the shapes of buffers.
        """
        bounds = (self.simplifier.linear(extent), *[end for ends in boxes for end in ends if end is not None])
        dtypes = {atom.dtype for bound in bounds for atom in bound.terms}
        return extent.dtype if not dtypes else dtypes.pop() if len(dtypes) == 1 else None

    def count_distances(self, low: Linear, high: Linear) -> int:
        """The number of distances of an upper end from a lower one."""
        atoms = self.simplifier.sums.atoms
        return len(atoms.operands_of(low, tir.Min)) * len(atoms.operands_of(high, tir.Max))

    def size(self, low: Linear, high: Linear, dtype: DType) -> Linear:
        """The largest distance of an upper end from a lower one."""
        sums = self.simplifier.sums
        firsts, lasts = sums.atoms.operands_of(low, tir.Min), sums.atoms.operands_of(high, tir.Max)
        if len(firsts) == len(lasts) == 1:
            return high.plus(low, -1).shifted(1)
        return simplify_extremum(
            self.simplifier.writer,
            tir.Max,
            [last.plus(first, -1).shifted(1) for last in lasts for first in firsts],
            dtype,
        )

    def count(self, size: Linear, dtype: DType, outer: set[tir.Var], is_constant: bool) -> tir.Expr | None:
        """A size that is known where the function begins, None where there is none."""
        sums = self.simplifier.sums
        written = self.simplifier.writer.write(size, dtype)
        if tir.effect_of(written) > CallEffect.PURE or not _is_plain(written):
            return None
        depends_on_loops = not tir.uses(written).isdisjoint(outer)
        if is_constant or depends_on_loops:
            most = sums.bounds(size).high
            if most is not None and most < INT32.max_value:
                return self.simplifier.writer.write(constant(most), dtype)
        return None if depends_on_loops else written


def _buffers(body: tir.Stmt) -> dict[tir.Var, dict[tir.Buffer, None]]:
    buffers: dict[tir.Var, dict[tir.Buffer, None]] = {}
    for node in nodes(body):
        if node.__class__ not in _WITH_BUFFERS:
            continue
        if isinstance(node, (tir.BufferLoad, tir.BufferStore, tir.DeclBuffer)):
            buffers.setdefault(node.buffer.data, {})[node.buffer] = None
        elif isinstance(node, tir.Block):
            for buffer in (*node.alloc_buffers, *[match.buffer for match in node.match_buffers]):
                buffers.setdefault(buffer.data, {})[buffer] = None
    return buffers


def _is_element(region: tir.BufferRegion) -> bool:
    return all(isinstance(part.extent, tir.IntImm) and part.extent.value == 1 for part in region.region)


def _least(extent: tir.Expr) -> int:
    """Return a lower bound of a product of sizes: unknown sizes are at least 1."""
    if isinstance(extent, tir.Mul):
        return _least(extent.a) * _least(extent.b)
    return abs(extent.value) if isinstance(extent, tir.IntImm) else 1


def _is_plain(expr: tir.Expr) -> bool:
    """Whether a size is made of sums, products, minima, and quotients by constants: others tell too little."""
    return not any(
        isinstance(part, tir.Select) or (isinstance(part, _DIVISIONS) and not isinstance(part.b, tir.IntImm))
        for part in nodes(expr)
    )


def _last(part: tir.Range) -> tir.Expr:
    return part.min + part.extent - tir.IntImm(part.extent.dtype, 1)
