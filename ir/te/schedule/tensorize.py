"""Tensor intrinsics in schedules: where they apply, and their statements on regions of tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import row_major_strides
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, union
from tvmscript.ir.core import on
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.bound import add_reads
from tvmscript.ir.te.schedule.dataflow import LoadReplacer
from tvmscript.ir.te.schedule.loop_nest import sets_up
from tvmscript.ir.te.schedule.stage import AxisAttrs, Stage
from tvmscript.ir.te.tensor import ComputeOp, Tensor
from tvmscript.ir.te.tensor_intrin import TensorIntrin
from tvmscript.ir.tir import (
    Buffer,
    BufferLoad,
    BufferStore,
    Expr,
    IterVar,
    Range,
    Stmt,
    TirRewriter,
    Var,
    substitute,
)
from tvmscript.ir.tir.te_nodes import ProducerLoad, Reduce

Domains = Mapping[IterVar, Range]
Region = tuple[Range, ...]


def tensorized_at(stage: Stage) -> int | None:
    """Return the place of the loop that a stage is tensorized at."""
    places = [
        place
        for place, axis in enumerate(stage.leaf_iter_vars)
        if stage.attrs.get(axis, AxisAttrs()).tensor_intrin is not None
    ]
    if len(places) > 1:
        raise InvalidSchedule(where=f"tensorize of stage {stage.op.name}", reason="two loops are tensorized")
    return places[0] if places else None


def tensorized_regions(
    stage: Stage, op: ComputeOp, place: int, domains: Domains
) -> tuple[dict[IterVar, Range], dict[Tensor, Region]]:
    """Return what the loops from one inwards compute: the ranges of the axes, and the regions of the inputs."""
    sets: dict[IterVar, IntervalSet] = {}
    for number, axis in enumerate(stage.leaf_iter_vars):
        domain = domains[axis]
        if is_const(domain.extent, 1):
            sets[axis] = IntSet.single_point(domain.min)
        elif number < place:
            sets[axis] = IntSet.single_point(axis.var)
        else:
            sets[axis] = IntSet.from_range(domain)
            if stage.attrs.get(axis, AxisAttrs()).bind_thread is not None:
                reason = f"{axis.var.name}, inside of it, is bound to a thread"
                raise InvalidSchedule(where=f"tensorize of stage {op.name}", reason=reason)
    sets_up(stage, domains, sets)
    analyzer = Analyzer()
    outer = {axis: sets[axis].cover_range(domains[axis]) or domains[axis] for axis in op.root_axes}
    for axis, domain in outer.items():
        analyzer.bind(axis.var, domain, allow_override=True)
    reads: dict[Tensor, list[list[IntervalSet]]] = {tensor: [[] for _ in tensor.shape] for tensor in op.input_tensors}
    add_reads(op, {axis.var: sets[axis] for axis in op.root_axes}, reads, analyzer)
    regions: dict[Tensor, Region] = {}
    for tensor, dimensions in reads.items():
        parts = [union(each).cover_range() for each in dimensions]
        region = tuple([part for part in parts if part is not None])
        if len(region) != len(parts):
            raise InvalidSchedule(
                where=f"tensorize of stage {op.name}", reason=f"the region of {tensor.name} is unknown"
            )
        regions[tensor] = region
    return outer, regions


def check_body(op: ComputeOp, intrin: TensorIntrin, ranges: Domains, regions: Mapping[Tensor, Region]) -> None:
    """Raise `InvalidSchedule` unless an operation computes on regions what an intrinsic computes on its tensors."""
    where = f"tensorize of stage {op.name}"
    wanted = intrin.op
    if not isinstance(wanted, ComputeOp) or len(op.input_tensors) != len(intrin.inputs):
        raise InvalidSchedule(where=where, reason=f"{intrin.name} has another number of inputs")
    inside: dict[Var, Expr] = {}
    axes: list[IterVar] = []
    for ours, theirs in ((op.axis, wanted.axis), (op.reduce_axis, wanted.reduce_axis)):
        skipped = len(ours) - len(theirs)
        for number, axis in enumerate(ours):
            domain = ranges[axis]
            target = theirs[number - skipped] if number >= skipped >= 0 else None
            extent = None if target is None or target.dom is None else target.dom.extent
            if not Analyzer().can_prove_equal(domain.extent, 1 if extent is None else extent):
                reason = f"{axis.var.name} has the extent {domain.extent} inside, {intrin.name} takes {extent or 1}"
                raise InvalidSchedule(where=where, reason=reason)
            inside[axis.var] = domain.min if target is None else target.var + domain.min
            axes += [] if target is None else [target]
    inputs = dict(zip(op.input_tensors, intrin.inputs, strict=True))
    analyzer = Analyzer()
    for axis in axes:
        if axis.dom is not None:
            analyzer.bind(axis.var, axis.dom)

    def element(load: ProducerLoad) -> Expr | None:
        if not isinstance(load.producer, Tensor) or load.producer not in inputs:
            return None
        tensor, region = inputs[load.producer], regions[load.producer]
        indices = [index - part.min for index, part in zip(load.indices, region, strict=True)]
        return tensor(*indices[len(indices) - tensor.ndim :])

    for value, wanted_value in zip(op.body, wanted.body, strict=True):
        pairs = [(value, wanted_value)]
        if isinstance(value, Reduce) and isinstance(wanted_value, Reduce):
            if not structural_equal(value.combiner, wanted_value.combiner, map_free_vars=True):
                raise InvalidSchedule(where=where, reason=f"{intrin.name} combines values in another way")
            sources = (*value.source, value.condition), (*wanted_value.source, wanted_value.condition)
            pairs = list(zip(*sources, strict=True))
        for mine, other in pairs:
            moved = LoadReplacer(element).rewrite(substitute(mine, inside))
            a, b = (_Simplified(analyzer).rewrite(each) for each in (moved, other))
            if not structural_equal(a, b):
                raise InvalidSchedule(where=where, reason=f"it computes {a}, but {intrin.name} computes {b}")


class _Simplified(TirRewriter):
    """Rewriter that simplifies the indices of tensors, and then the rest."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__()
        self.analyzer = analyzer

    @on(ProducerLoad)
    def producer_load(self, node: ProducerLoad) -> Expr:
        return node.rebuild(indices=tuple([self.analyzer.simplify(index) for index in node.indices]))


class BoundBuffers(TirRewriter):
    """Rewriter of the accesses of buffers that stand for regions of other buffers."""

    def __init__(self) -> None:
        super().__init__()
        #: buffer -> what it is a region of, and where that begins
        self.regions: dict[Buffer, tuple[Buffer, Region]] = {}

    def bind(
        self, buffer: Buffer, target: Buffer, region: Region, realized: Region | None, strides: Sequence[Expr]
    ) -> None:
        """Let a buffer stand for a region. `realized` is what exists of the target, with its strides in memory.

        Raises `InvalidSchedule` for a buffer of another shape.
        """
        skipped = len(region) - len(buffer.shape)
        where = f"the buffer {buffer.name}"
        for number, part in enumerate(region):
            extent: Expr | int = buffer.shape[number - skipped] if number >= skipped else 1
            if isinstance(extent, Var):
                self.renamed.setdefault(extent, part.extent)
            elif not Analyzer().can_prove_equal(part.extent, extent):
                raise InvalidSchedule(where=where, reason=f"its extent is {extent}, but {part.extent} are bound to it")
        self.regions[buffer] = target, region
        self.renamed[buffer.data] = target.data
        starts = [part.min - (realized[number].min if realized else 0) for number, part in enumerate(region)]
        offset: Expr = target.elem_offset
        for start, stride in zip(starts, strides, strict=True):
            offset = offset + start * stride
        if isinstance(buffer.elem_offset, Var):
            self.renamed[buffer.elem_offset] = offset
        for stride, actual in zip(buffer.strides, strides[-len(buffer.strides) :], strict=False):
            if isinstance(stride, Var):
                self.renamed[stride] = actual

    def _indices(self, node: BufferLoad | BufferStore) -> tuple[Expr, ...]:
        _, region = self.regions[node.buffer]
        inner = self.indices(node.indices)
        skipped = len(region) - len(inner)
        return tuple([part.min + inner[i - skipped] if i >= skipped else part.min for i, part in enumerate(region)])

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        if node.buffer not in self.regions:
            return super().load(node)
        return BufferLoad(self.regions[node.buffer][0], self._indices(node), span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        if node.buffer not in self.regions:
            return super().store(node)
        value = self.rewrite(node.value)
        return BufferStore(self.regions[node.buffer][0], value, self._indices(node), span=node.span)


def strides_of(buffer: Buffer, realized: Region | None) -> list[Expr]:
    """Return the strides of a buffer in memory, where a region of it exists."""
    if buffer.strides:
        return list(buffer.strides)
    extents = [part.extent for part in realized] if realized is not None else list(buffer.shape)
    return list(row_major_strides(tuple(extents)))
