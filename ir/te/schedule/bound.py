"""Bound inference: the ranges of the axes and loops of all stages, from outputs to inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from tvmscript.ir.arith.analyzer import Analyzer, Value
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, eval_set, union
from tvmscript.ir.arith.simplification.simplify import Simplifier
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.loop_nest import domains_down, sets_up, thread_rank
from tvmscript.ir.te.schedule.schedule import Schedule
from tvmscript.ir.te.schedule.stage import Attach, Stage
from tvmscript.ir.te.tensor import (
    ComputeOp,
    ExternOp,
    HybridOp,
    Operation,
    PlaceholderOp,
    ScanOp,
    Tensor,
    TensorComputeOp,
)
from tvmscript.ir.tir import Expr, IterVar, Range, Var
from tvmscript.ir.tir.storage_scope import MemoryRank, storage_scope
from tvmscript.ir.tir.te_nodes import ProducerLoad

#: the sets that the dimensions of a tensor are read at
Reads = list[list[IntervalSet]]
_DEFAULT_RANKS = {-1: MemoryRank.GLOBAL, 0: MemoryRank.SHARED, 1: MemoryRank.LOCAL}


@dataclass
class _Context:
    stages: dict[Operation, Stage]
    #: tensor -> operations that read it
    consumers: dict[Tensor, list[Operation]]
    #: loops around each operation, innermost first
    paths: dict[Operation, list[IterVar]]
    threads: dict[IterVar, IterVar]
    domains: dict[IterVar, Range] = field(default_factory=dict)


class _LateAnalyzer(Analyzer):
    """Bind ranges when something is asked: most schedules have constant sizes, and ask nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._late: dict[Var, Range | Value] = {}

    def bind(self, var: Var, what: Range | Value, allow_override: bool = False) -> None:
        self._late.pop(var, None)
        self._late[var] = what

    @property
    def simplifier(self) -> Simplifier:
        late, self._late = self._late, {}
        for var, domain in late.items():
            super().bind(var, domain, allow_override=True)
        return super().simplifier


def infer_bound(schedule: Schedule) -> dict[IterVar, Range]:
    """Return the ranges of the axes and loops of a normalized schedule. Raises `InvalidSchedule`."""
    active = [stage for stage in schedule.stages if stage.attach_type is not Attach.INLINED_ALREADY]
    context = _Context(
        {stage.op: stage for stage in schedule.stages},
        _consumers(schedule),
        {stage.op: list(_path(stage)) for stage in schedule.stages},
        {
            axis: attrs.bind_thread
            for stage in schedule.stages
            for axis, attrs in stage.attrs.items()
            if attrs.bind_thread is not None
        },
    )
    _check_states(active, context)
    analyzer = _LateAnalyzer()
    for stage in reversed(active):
        _infer_root_bound(stage, context)
        for axis in stage.op.root_axes:
            if axis in context.domains:
                analyzer.bind(axis.var, context.domains[axis], allow_override=True)
        domains_down(stage, context.domains, analyzer)
        for thread in stage.threads:
            if thread.dom is not None:
                context.domains[thread] = thread.dom
    simplify = analyzer.simplify
    return {
        axis: Range.from_min_extent(simplify(domain.min), simplify(domain.extent))
        for axis, domain in context.domains.items()
    }


def _check_states(stages: list[Stage], context: _Context) -> None:
    """Raise `InvalidSchedule` where a scan's states are read outside of its steps, or the first ones computed there."""
    scans = [stage for stage in stages if isinstance(stage.op, ScanOp)]
    for scan in scans:
        assert isinstance(scan.op, ScanOp)
        for tensor in scan.op.init:
            if context.stages[tensor.op].attach_spec().attach_stage is scan:
                reason = f"it begins {scan.op.name}, but is computed in its steps"
                raise InvalidSchedule(where=f"stage {tensor.op.name}", reason=reason)
        for stage in stages:
            reads_state = any(tensor in scan.op.state_placeholder for tensor in stage.op.input_tensors)
            if reads_state and stage is not scan and set(context.paths[stage.op]).isdisjoint(scan.leaf_iter_vars):
                reason = f"it reads states of {scan.op.name} and is not computed in its steps"
                raise InvalidSchedule(where=f"stage {stage.op.name}", reason=reason)


def _consumers(schedule: Schedule) -> dict[Tensor, list[Operation]]:
    consumers: dict[Tensor, list[Operation]] = {}
    seen: set[Operation] = set()
    stack = [schedule[op].op for op in schedule.outputs]
    while stack:
        op = stack.pop()
        if op not in seen:
            seen.add(op)
            inputs = op.input_tensors
            for tensor in inputs:
                consumers.setdefault(tensor, []).append(op)
            if isinstance(op, ScanOp):  # its states feed their readers
                for state, update in zip(op.state_placeholder, op.update, strict=True):
                    consumers.setdefault(state, []).append(update.op)
            stack += [tensor.op for tensor in inputs]
    return consumers


def _path(stage: Stage) -> Iterator[IterVar]:
    """Return the loops around a stage, innermost first. Raises `InvalidSchedule`."""
    inside = [stage]
    while True:
        spec = stage.attach_spec()
        parent, axis = spec.attach_stage, spec.attach_ivar
        if parent is None or spec.attach_type not in (Attach.SCOPE, Attach.SCAN_UPDATE):
            return
        is_inside = spec.attach_type is Attach.SCAN_UPDATE
        for leaf in reversed(parent.leaf_iter_vars):
            is_inside = is_inside or leaf is axis
            if is_inside:
                yield leaf
        if not is_inside:
            reason = f"there is no loop {axis.var.name if axis else ''} of {parent.op.name}"
            raise InvalidSchedule(where=f"stage {stage.op.name}", reason=reason)
        if parent in inside:
            raise InvalidSchedule(where=f"stage {stage.op.name}", reason="it is computed under a loop of itself")
        inside.append(parent)
        stage = parent


def _infer_root_bound(stage: Stage, context: _Context) -> None:
    """Compute the ranges of the axes of a stage from what its consumers read."""
    op, domains = stage.op, context.domains
    if stage.is_output or isinstance(op, PlaceholderOp):
        if stage.is_output and stage.attach_spec().attach_type is not Attach.ROOT:
            raise InvalidSchedule(where=f"stage {op.name}", reason="an output is computed at the root")
        for axis in op.root_axes:
            assert axis.dom is not None
            domains[axis] = axis.dom
        return
    reads: dict[Tensor, Reads] = {tensor: [[] for _ in tensor.shape] for tensor in op.outputs}
    rank = _storage_rank(stage, context)
    scope = next(iter(context.paths[op]), None)
    consumers = dict.fromkeys(reader for tensor in op.outputs for reader in context.consumers.get(tensor, ()))
    for consumer in consumers:
        reader = context.stages[consumer]
        if reader.attach_type is Attach.INLINED_ALREADY:
            continue
        is_attached = False
        sets: dict[IterVar, IntervalSet] = {}
        for axis in reversed(reader.leaf_iter_vars):
            is_attached = is_attached or axis is scope
            domain = domains[axis]
            if is_const(domain.extent, 1):
                sets[axis] = IntSet.single_point(domain.min)
            elif _is_relaxed(axis, is_attached, rank, context):
                sets[axis] = IntSet.from_range(domain)
            else:
                sets[axis] = IntSet.single_point(context.threads.get(axis, axis).var)
        relaxed: dict[Var, IntervalSet] = {}
        for axis in context.paths[consumer]:
            is_attached = is_attached or axis is scope
            if _is_relaxed(axis, is_attached, rank, context):
                relaxed[axis.var] = IntSet.from_range(domains[axis])
                if axis in context.threads:
                    relaxed[context.threads[axis].var] = relaxed[axis.var]
        if scope is not None and not is_attached:
            reason = f"it is not computed under a loop around {consumer.name}, which reads it"
            raise InvalidSchedule(where=f"stage {op.name}", reason=reason)
        sets_up(reader, domains, sets)
        analyzer = Analyzer()
        ranges: dict[Var, IntervalSet] = {}
        for axis in consumer.root_axes:
            assert axis.dom is not None
            domain = (sets[axis].cover_range(axis.dom) if axis in sets else None) or axis.dom
            values = ranges[axis.var] = eval_set(domain, relaxed) if relaxed else IntSet.from_range(domain)
            analyzer.bind(axis.var, values.cover_range(domain) or domain, allow_override=True)
        add_reads(consumer, ranges, reads, analyzer)
    _gather(op, reads, domains)


def _storage_rank(stage: Stage, context: _Context) -> int:
    """Return the kind of memory of a stage: without a scope that of the threads around it."""
    if stage.scope:
        return storage_scope(stage.scope).rank
    tags = [context.threads.get(axis, axis).thread_tag for axis in context.paths[stage.op]]
    return _DEFAULT_RANKS[max([thread_rank(tag) for tag in tags if tag], default=-1)]


def _is_relaxed(axis: IterVar, is_attached: bool, rank: int, context: _Context) -> bool:
    """Return whether a stage computes what all iterations of a loop need: of inner loops, of threads that share it."""
    tag = context.threads.get(axis, axis).thread_tag
    if not tag:
        return not is_attached
    if rank == MemoryRank.WARP and tag == "threadIdx.x":
        return True
    return rank <= thread_rank(tag)


def add_reads(
    op: Operation, ranges: Mapping[Var, IntervalSet], reads: Mapping[Tensor, Reads], analyzer: Analyzer
) -> None:
    """Add the sets that an operation reads tensors at."""
    if isinstance(op, ComputeOp):
        for value in op.body:
            for load in nodes(value):
                if isinstance(load, ProducerLoad) and isinstance(load.producer, Tensor) and load.producer in reads:
                    for place, index in enumerate(load.indices):
                        interval = _read_interval(index, load.producer.shape[place], ranges, analyzer)
                        reads[load.producer][place].append(interval)
    elif isinstance(op, ScanOp):
        for number, (init, new) in enumerate(zip(op.init, op.update, strict=True)):
            spatial = [ranges[axis.var] for axis in op.spatial_axes_of(number)]
            first = IntSet.from_range(Range.from_extent(init.shape[0]))
            for tensor, time in ((init, first), (new, ranges[op.scan_axis.var])):
                for place, interval in enumerate([time, *spatial] if tensor in reads else []):
                    reads[tensor][place].append(interval)
    elif isinstance(op, TensorComputeOp):
        for tensor, region in zip(op.inputs, op.input_regions, strict=True):
            for place, part in enumerate(region if tensor in reads else ()):
                reads[tensor][place].append(eval_set(part, ranges, analyzer))
    elif isinstance(op, ExternOp):
        for tensor in op.inputs:
            for place, extent in enumerate(tensor.shape if tensor in reads else ()):
                reads[tensor][place].append(IntSet.from_range(Range.from_extent(extent)))


def _read_interval(index: Expr, extent: Expr, ranges: Mapping[Var, IntervalSet], analyzer: Analyzer) -> IntervalSet:
    """Return the interval of an index; the whole dimension where that is proven to be no larger."""
    interval = eval_set(index, ranges, analyzer)
    low, high = interval.min_value, interval.max_value
    if interval.has_lower_bound and interval.has_upper_bound:
        is_inside = not (analyzer.can_prove(low <= 0) and analyzer.can_prove(extent - 1 <= high))
    else:
        is_inside = interval.has_lower_bound or interval.has_upper_bound
    return interval if is_inside else IntSet.from_range(Range.from_extent(extent))


def _gather(op: Operation, reads: Mapping[Tensor, Reads], domains: dict[IterVar, Range]) -> None:
    """Set the ranges of an operation's axes to what is read, of any of its outputs."""
    if isinstance(op, (ComputeOp, TensorComputeOp)):
        for place, axis in enumerate(op.axis):
            assert axis.dom is not None
            sets = [interval for tensor in op.outputs for interval in reads[tensor][place]]
            domains[axis] = (union(sets).cover_range(axis.dom) if sets else None) or axis.dom
        for axis in op.reduce_axis:
            assert axis.dom is not None
            domains[axis] = axis.dom
    elif isinstance(op, (ScanOp, HybridOp)):
        for axis in op.root_axes:  # a step of a scan may read all of the one before
            assert axis.dom is not None
            domains[axis] = axis.dom
