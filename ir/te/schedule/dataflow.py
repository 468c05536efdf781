"""Primitives that replace operations: caches, factored reductions, inlining, layouts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import TRUE, is_const, is_true
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import on
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.loop_nest import (
    bound_checks,
    domains_down,
    marks_down,
    marks_up,
    touched_by_reduction,
    values_down,
    values_up,
)
from tvmscript.ir.te.schedule.relations import Fuse, Transform
from tvmscript.ir.te.schedule.stage import Attach, Stage
from tvmscript.ir.te.tensor import ComputeOp, ExternOp, Index, Operation, ScanOp, Tensor, TensorComputeOp
from tvmscript.ir.tir import Expr, IterKind, IterVar, Range, TirRewriter, Var, cast, const, substitute
from tvmscript.ir.tir.intrin.control import if_then_else, likely
from tvmscript.ir.tir.operators import logical_and
from tvmscript.ir.tir.te_nodes import ProducerLoad, Reduce

if TYPE_CHECKING:
    from tvmscript.ir.te.schedule.schedule import Schedule


class LoadReplacer(TirRewriter):
    """Rewriter of the elements of tensors."""

    def __init__(self, replace: Callable[[ProducerLoad], Expr | None]) -> None:
        super().__init__()
        self.replace = replace

    @on(ProducerLoad)
    def producer_load(self, node: ProducerLoad) -> Expr:
        indices = self.indices(node.indices)
        load = node if indices is node.indices else node.replace(indices=indices)
        replaced = self.replace(load)
        return load if replaced is None else replaced


def replace_inputs(op: Operation, tensors: Mapping[Any, Tensor]) -> Operation:
    """Return an operation that reads other tensors; the operation itself where it reads none of these."""
    if isinstance(op, ComputeOp):
        replacer = LoadReplacer(
            lambda load: load.replace(producer=tensors[load.producer]) if load.producer in tensors else None
        )
        return with_body(op, tuple([replacer.rewrite(value) for value in op.body]))
    if isinstance(op, ScanOp):
        parts = {name: _replaced(getattr(op, name), tensors) for name in ("init", "update", "inputs")}
        return op.rebuild(**parts)
    if isinstance(op, (ExternOp, TensorComputeOp)):
        return op.rebuild(inputs=_replaced(op.inputs, tensors))
    return op


def with_body(op: ComputeOp, body: tuple[Expr, ...]) -> ComputeOp:
    """Return an operation with other values. Its reductions share their combiner, sources and axes."""
    if all(new is old for new, old in zip(body, op.body, strict=True)):
        return op
    first = body[0]
    if isinstance(first, Reduce):
        body = tuple([first.replace(value_index=index) if index else first for index in range(len(body))])
    return op.replace(body=body)


def _replaced(items: tuple[Tensor, ...], tensors: Mapping[Any, Tensor]) -> tuple[Tensor, ...]:
    new = tuple([tensors.get(item, item) for item in items])
    return items if all(a is b for a, b in zip(new, items, strict=True)) else new


def replace_dataflow(stages: Sequence[Stage], new: dict[Tensor, Tensor], old: dict[Tensor, Tensor]) -> None:
    """Replace tensors in all stages, and what follows from that; `old` maps new tensors to those they replace."""
    for stage in stages:
        op = replace_inputs(stage.op, new)
        if op is not stage.op:
            for before, after in zip(stage.op.outputs, op.outputs, strict=True):
                if before in old:
                    new[old[before]] = after
                else:
                    new[before] = after
                    old[after] = before
            stage.op = op


def cache_read(schedule: Schedule, tensor: Tensor, scope: str, readers: Sequence[Operation]) -> Tensor:
    """Add a stage that copies a tensor behind its own, and let the readers read the copy."""
    stage = schedule[tensor.op]
    source = stage.op.outputs[tensor.value_index]
    name = f"{tensor.name}.{scope}" if scope else tensor.name
    axes = tuple(
        [
            IterVar(Range.from_extent(extent), Var(f"ax{i}", extent.dtype), IterKind.DATA_PAR)
            for i, extent in enumerate(source.shape)
        ]
    )
    cache = ComputeOp(name, "", {}, axes, (source(*[axis.var for axis in axes]),)).outputs[0]
    new: dict[Tensor, Tensor] = {}
    old: dict[Tensor, Tensor] = {}
    for op in readers:
        reader = schedule[op]
        replaced = replace_inputs(reader.op, {source: cache})
        if replaced is reader.op:
            raise InvalidSchedule(where=f"cache_read of {tensor.name}", reason=f"{op.name} does not read it")
        for before, after in zip(reader.op.outputs, replaced.outputs, strict=True):
            new[before], old[after] = after, before
        reader.op = replaced
    replace_dataflow(schedule.stages, new, old)
    added = schedule.add_stage(cache.op, schedule.stages.index(stage) + 1, like=stage)
    added.set_scope(scope)
    return cache


def cache_write(schedule: Schedule, tensors: Sequence[Tensor], scope: str) -> tuple[Tensor, ...]:
    """Compute an operation in a stage before its own, in the layout of its loops, and copy the result."""
    where = f"cache_write of {tensors[0].name}"
    stage = schedule[tensors[0].op]
    op = stage.op
    if not isinstance(op, ComputeOp):
        raise InvalidSchedule(where=where, reason=f"{op.name} is no compute operation")
    if len(tensors) != len(op.outputs):
        raise InvalidSchedule(where=where, reason="give all outputs of the operation")
    reduced = set(op.reduce_axis)
    domains: dict[IterVar, Range] = {axis: _domain(axis) for axis in op.axis}
    domains_down(stage, domains, Analyzer(), is_partial=True)
    marks = touched_by_reduction(stage, op.axis, op.reduce_axis)
    if any(marks.get(axis) == 3 for axis in stage.leaf_iter_vars):
        raise InvalidSchedule(where=where, reason="a loop of it is fused with a reduction")
    if _may_fuse_steps(stage, op):
        raise InvalidSchedule(where=where, reason="a loop of it goes over elements of several steps of a scan")
    leaves = [axis for axis in stage.leaf_iter_vars if axis not in reduced and axis in domains]
    for axis in leaves:
        if axis.iter_type is not IterKind.DATA_PAR:
            raise InvalidSchedule(where=where, reason="its loops are not parallel")
    renamed = {axis.var: Var(f"{axis.var.name}.c", axis.var.dtype) for axis in leaves}
    axes = tuple([IterVar(domains[axis], renamed[axis.var], axis.iter_type) for axis in leaves])
    values: dict[IterVar, Expr] = {axis: axis.var for axis in leaves}
    values_up(stage, domains, values, is_partial=True)
    checks = bound_checks(stage, domains, values, skip_domains=True, skipped=reduced)
    inside = {axis.var: values[axis] for axis in op.axis if axis in values}

    def moved(value: Expr) -> Expr:
        return substitute(_with_predicate(substitute(value, inside), checks), renamed)

    first = moved(op.body[0])
    body = (
        tuple([first.replace(value_index=index) if index else first for index in range(len(op.body))])
        if isinstance(first, Reduce)
        else tuple([moved(value) for value in op.body])
    )
    at: dict[IterVar, Expr] = {axis: axis.var for axis in op.axis}
    values_down(stage, domains, at, is_partial=True)
    cache = ComputeOp(f"{op.name}.{scope}", op.tag, op.attrs, axes, body)
    indices = tuple([at[axis] for axis in leaves])
    copy = ComputeOp(op.name, op.tag, op.attrs, op.axis, tuple([tensor(*indices) for tensor in cache.outputs]))
    return _insert_before(schedule, stage, cache, copy, scope)


def _may_fuse_steps(stage: Stage, op: ComputeOp) -> bool:
    """Return whether a loop of a stage in the steps of a scan may go over elements of several steps.

    A cache holds whole parts of such a loop, and a step has no state of the others. The first axis of an update is
    the time; of what an update reads any axis may be.
    """
    fused = [relation.fused for relation in stage.relations if isinstance(relation, Fuse)]
    if not fused or not stage.is_in_steps_of_scan:
        return False
    marks = touched_by_reduction(stage, op.axis[1:], op.axis[:1])
    return not stage.is_part_of_scan or any(marks.get(axis) == 3 for axis in fused)


def _insert_before(
    schedule: Schedule, stage: Stage, added: ComputeOp, replaced: ComputeOp, scope: str
) -> tuple[Tensor, ...]:
    """Replace the operation of a stage, and add a stage of another operation before it."""
    new = dict(zip(stage.op.outputs, replaced.outputs, strict=True))
    replace_dataflow(schedule.stages, new, {after: before for before, after in new.items()})
    stage.op = replaced
    stage.reset_axes()
    cache = schedule.add_stage(added, schedule.stages.index(stage), like=stage)
    cache.set_scope(scope)
    return added.outputs


def _with_predicate(value: Expr, checks: Sequence[Expr]) -> Expr:
    if not checks:
        return value
    if isinstance(value, Reduce):
        return value.replace(condition=reduce(logical_and, checks, value.condition))
    # TVM's Select is an `if_then_else` after `RewriteUnsafeSelect`, but reads out of bounds in vectors
    return if_then_else(reduce(logical_and, checks), value, const(0, value.dtype))


def _domain(axis: IterVar) -> Range:
    assert axis.dom is not None
    return axis.dom


def rfactor(schedule: Schedule, tensor: Tensor, axis: IterVar, factor_axis: int) -> tuple[Tensor, ...]:
    """Split a reduction: a stage before it has a loop of it as an axis, its own reduces that axis."""
    where = f"rfactor of {tensor.name}"
    stage = schedule[tensor.op]
    op = stage.op
    if axis.iter_type is not IterKind.COMM_REDUCE:
        raise InvalidSchedule(where=where, reason=f"{axis.var.name} is no reduction axis")
    if not isinstance(op, ComputeOp) or not isinstance(op.body[0], Reduce):
        raise InvalidSchedule(where=where, reason=f"{op.name} is no reduction")
    stage.leaf("rfactor", axis)
    node = op.body[0]
    touched: dict[IterVar, int] = {axis: 1}
    marks_up(stage, touched)
    marks_down(stage, touched)
    if any(each in touched for each in op.axis):
        raise InvalidSchedule(where=where, reason=f"{axis.var.name} is fused with an axis that is not reduced")
    place = factor_axis if factor_axis >= 0 else len(op.axis) + 1 + factor_axis
    if not 0 <= place <= len(op.axis):
        raise InvalidSchedule(where=where, reason=f"there is no place {factor_axis} for the axis")
    analyzer = Analyzer()
    domains: dict[IterVar, Range] = {each: _domain(each) for each in op.reduce_axis if each in touched}
    untouched = {*op.axis, *(each for each in op.reduce_axis if each not in touched)}
    for each in op.reduce_axis:
        analyzer.bind(each.var, _domain(each))
    domains_down(stage, domains, analyzer, is_partial=True)
    leaves = [each for each in stage.leaf_iter_vars if each in touched]
    for each in leaves:
        if each not in domains:
            raise InvalidSchedule(where=where, reason=f"{each.var.name} is of an axis that is not reduced, too")
    values: dict[IterVar, Expr] = {
        each: domains[each].min if is_const(domains[each].extent, 1) else each.var for each in leaves
    }
    values_up(stage, domains, values, is_partial=True)
    checks = bound_checks(stage, domains, values, skipped=untouched)
    factor = IterVar(domains[axis], axis.var, IterKind.DATA_PAR)
    axes = (*op.axis[:place], factor, *op.axis[place:])
    conditions = [*checks, *([] if is_true(node.condition) else [node.condition])]
    predicate = likely(reduce(logical_and, conditions)) if conditions else TRUE
    inside = {each.var: values[each] for each in op.reduce_axis if each in touched}
    reduced = (
        *(each for each in op.reduce_axis if each not in touched),
        *(each.replace(dom=domains[each]) for each in leaves if each is not axis),
    )
    source = tuple([substitute(value, inside) for value in node.source])
    condition = substitute(predicate, inside)
    count = len(node.source)
    if reduced:
        values_of: Sequence[Expr] = [Reduce(node.combiner, source, reduced, condition, i) for i in range(count)]
    elif conditions:
        identity = node.combiner.identity_element
        values_of = [if_then_else(condition, value, other) for value, other in zip(source, identity, strict=True)]
    else:
        values_of = source
    factored = ComputeOp(f"{op.name}.rf", "", {}, axes, tuple(values_of))
    outer = IterVar(domains[axis], Var(f"{axis.var.name}.v", axis.var.dtype), IterKind.COMM_REDUCE)
    last = [
        IterVar(Range.from_extent(each.dom.extent), Var(f"ax{i}", each.var.dtype), IterKind.DATA_PAR)
        for i, each in enumerate(op.axis)
        if each.dom is not None
    ]
    variables = [each.var for each in last]
    indices = (*variables[:place], outer.var, *variables[place:])
    parts = tuple([output(*indices) for output in factored.outputs])
    body = tuple([Reduce(node.combiner, parts, (outer,), TRUE, i, node.init) for i in range(count)])
    repl = ComputeOp(f"{op.name}.repl", "", {}, tuple(last), body)
    return _insert_before(schedule, stage, factored, repl, "")


def inline(schedule: Schedule) -> None:
    """Put the values of inlined stages in the places of their elements."""
    for place in reversed(range(len(schedule.stages))):
        stage = schedule.stages[place]
        if stage.attach_type is not Attach.INLINE:
            continue
        stage.attach_type = Attach.INLINED_ALREADY
        op = stage.op
        if not isinstance(op, ComputeOp) or isinstance(op.body[0], Reduce):
            raise InvalidSchedule(where=f"compute_inline of stage {op.name}", reason="it is no elementwise computation")
        new: dict[Tensor, Tensor] = {}
        old: dict[Tensor, Tensor] = {}
        for consumer in schedule.stages[place:]:
            if not isinstance(consumer.op, ComputeOp):
                if any(tensor.op is op for tensor in consumer.op.input_tensors):
                    reason = f"{consumer.op.name} reads it, which is no compute operation"
                    raise InvalidSchedule(where=f"compute_inline of stage {op.name}", reason=reason)
                continue
            replaced = with_body(consumer.op, tuple([_inlined(op, value) for value in consumer.op.body]))
            if replaced is not consumer.op:
                for before, after in zip(consumer.op.outputs, replaced.outputs, strict=True):
                    new[before], old[after] = after, before
                consumer.op = replaced
        replace_dataflow(schedule.stages, new, old)


def _inlined(op: ComputeOp, value: Expr) -> Expr:
    def element(load: ProducerLoad) -> Expr | None:
        if not isinstance(load.producer, Tensor) or load.producer.op is not op:
            return None
        at = {axis.var: cast(axis.var.dtype, index) for axis, index in zip(op.axis, load.indices, strict=True)}
        return substitute(op.body[load.producer.value_index], at)

    inlined: Expr = LoadReplacer(element).rewrite(value)
    return inlined


def transform_layout(stage: Stage, mapping: Callable[..., Sequence[Index | str]]) -> list[IterVar]:
    """Let the loops of a stage be those of another layout of its output; return them."""
    where = f"transform_layout of stage {stage.op.name}"
    if isinstance(stage.op, ScanOp):
        raise InvalidSchedule(where=where, reason="it is a scan")
    output, *others = stage.op.outputs
    if others:
        raise InvalidSchedule(where=where, reason="it has several outputs")
    if stage.is_part_of_scan:
        raise InvalidSchedule(where=where, reason="its tensor is a part of a scan")
    if stage.is_in_steps_of_scan:
        raise InvalidSchedule(where=where, reason="it is computed in the steps of a scan")
    rank = len(output.shape)
    if stage.layout_maps and len(stage.layout_maps[-1].final_indices) != rank:
        raise InvalidSchedule(where=where, reason="its layout was changed before, to another number of axes")
    index_map, separators = IndexMap.from_func_with_separators(mapping, rank, index_dtype="int32")
    axes = list(stage.op.root_axes[: len(index_map.initial_indices)])
    if stage.leaf_iter_vars[: len(axes)] != axes:
        raise InvalidSchedule(where=where, reason="its loops were changed before")
    extents = index_map.map_shape([_domain(axis).extent for axis in axes])
    new_axes = tuple(
        [
            IterVar(Range.from_extent(extent), Var(f"axis{i}", extent.dtype), IterKind.DATA_PAR)
            for i, extent in enumerate(extents)
        ]
    )
    inverse = index_map.inverse([_domain(axis).extent for axis in axes])
    stage.relations.append(Transform(tuple(axes), new_axes, index_map, inverse))
    stage.all_iter_vars += new_axes
    stage.leaf_iter_vars[: len(axes)] = new_axes
    stage.layout_maps.append(index_map)
    stage.axis_separators = tuple(separators)
    return list(new_axes)
