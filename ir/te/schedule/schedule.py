"""Schedules: the stages of the operations that lead to outputs, inputs first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, overload

from tvmscript.ir.core import IRModule
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.schedule import dataflow
from tvmscript.ir.te.schedule.relations import Fuse, Rebase, Split
from tvmscript.ir.te.schedule.stage import Attach, AxisAttrs, Stage
from tvmscript.ir.te.tensor import (
    ComputeOp,
    ExternOp,
    Index,
    Operation,
    PlaceholderOp,
    ScanOp,
    Tensor,
    topological_order,
)
from tvmscript.ir.tir import Buffer, IterVar, Var
from tvmscript.ir.tir.te_nodes import ProducerLoad

#: operations, or tensors of them
Operations: TypeAlias = Tensor | Operation | Sequence[Tensor | Operation]
#: what stands for a parameter of a function
Argument: TypeAlias = Tensor | Buffer | Var


class Schedule:
    """The stages of operations. `s[C]` is the stage of a tensor or an operation."""

    def __init__(self, outputs: Sequence[Operation]) -> None:
        self.outputs: tuple[Operation, ...] = tuple(outputs)
        self.stages: list[Stage] = []
        self.groups: list[Stage] = []
        #: operations, replaced ones included, and their stages
        self.stage_map: dict[Operation, Stage] = {}

    def __getitem__(self, item: object) -> Stage:
        op = item.op if isinstance(item, Tensor) else item
        if not isinstance(op, Operation):
            raise WrongType(where="a schedule", expected="a tensor or an operation", got=repr(item))
        stage = self.stage_map.get(op) or next((stage for stage in self.stages if stage.op is op), None)
        if stage is None:
            names = ", ".join(stage.op.name for stage in self.stages)
            raise InvalidSchedule(where="the schedule", reason=f"{op.name} is none of its operations, {names}")
        return stage

    def add_stage(self, op: Operation, place: int, *, like: Stage | None = None) -> Stage:
        """Insert a stage, in the group of another one."""
        stage = Stage(op, self)
        self.stages.insert(place, stage)
        self.stage_map[op] = stage
        if like is not None:
            stage.group = like.group
            if stage.group is not None:
                stage.group.num_child_stages += 1
        return stage

    # -- primitives

    def cache_read(self, tensor: Tensor, scope: str, readers: Operations) -> Tensor:
        """Copy a tensor to another scope for some of its readers; return the copy."""
        return dataflow.cache_read(self, tensor, scope, _operations(readers))

    @overload
    def cache_write(self, tensor: Tensor, scope: str) -> Tensor: ...
    @overload
    def cache_write(self, tensor: Sequence[Tensor], scope: str) -> tuple[Tensor, ...]: ...
    def cache_write(self, tensor: Tensor | Sequence[Tensor], scope: str) -> Tensor | tuple[Tensor, ...]:
        """Compute a tensor in another scope and copy it; return what is computed."""
        tensors = [tensor] if isinstance(tensor, Tensor) else list(tensor)
        caches = dataflow.cache_write(self, tensors, scope)
        return caches[0] if isinstance(tensor, Tensor) and len(caches) == 1 else caches

    def rfactor(self, tensor: Tensor, axis: IterVar, factor_axis: int = 0) -> Tensor | tuple[Tensor, ...]:
        """Let a part of a reduction be an axis of a tensor of its own, which is reduced then; return that tensor."""
        factored = dataflow.rfactor(self, tensor, axis, factor_axis)
        return factored[0] if len(factored) == 1 else factored

    def transform_layout(self, stage: Stage, mapping: Callable[..., Sequence[Index | str]]) -> list[IterVar]:
        """Change the layout of a stage's output by a map of indices; return the new loops."""
        return dataflow.transform_layout(stage, mapping)

    def create_group(self, outputs: Operations, inputs: Operations, include_inputs: bool = False) -> Stage:
        """Group the stages between tensors, so that they are computed at one place."""
        ends, begins = _operations(outputs), _operations(inputs)
        inner = [self[op] for op in _between(ends, begins, include_inputs)]
        group = Stage(Operation.__new__(PlaceholderOp) if not inner else inner[-1].op, self, is_group=True)
        parents = {id(stage.group): stage.group for stage in inner}
        if len(parents) > 1:
            raise InvalidSchedule(where="create_group", reason="its stages are in several groups")
        group.group = next(iter(parents.values()), None)
        for stage in inner:
            stage.group = group
            group.num_child_stages += 1
        self.groups.append(group)
        return group

    def to_module(
        self,
        args: Sequence[Argument],
        name: str = "main",
        binds: Mapping[Tensor, Buffer] | None = None,
        *,
        prefers_blocks: bool = False,
    ) -> IRModule:
        """Return a module with a function of tensors, buffers and variables that does what the schedule says.

        With `prefers_blocks` it is a function of blocks where no step has been taken: another schedule may begin there.
        """
        params = [arg for arg in args if isinstance(arg, (Tensor, Var))]
        if prefers_blocks and not binds and self.is_untouched and len(params) == len(args):
            return IRModule.from_expr(create_prim_func(params).with_attr("global_symbol", name))
        return lower_schedule(self, args, name, binds)

    @property
    def is_untouched(self) -> bool:
        """Whether no step has been taken, and `create_prim_func` has the operations of all stages."""
        kinds = (ComputeOp, PlaceholderOp, ExternOp)
        return not self.groups and all(stage.is_untouched and type(stage.op) in kinds for stage in self.stages)

    # -- normal form

    def normalize(self) -> Schedule:
        """Return a copy without inlined stages, whose loops begin at 0 and are attached to loops that exist."""
        schedule = self.copy()
        dataflow.inline(schedule)
        _rebase(schedule)
        _legalize_attachments(schedule)
        return schedule

    def copy(self) -> Schedule:
        """Return a copy with stages of its own."""
        new = Schedule(self.outputs)
        copies: dict[int, Stage] = {}
        for stage in (*self.groups, *self.stages):
            copies[id(stage)] = copied = replace(
                stage,
                schedule=new,
                attrs=dict(stage.attrs),
                threads=list(stage.threads),
            )
            copied.origin_op = stage.origin_op
            copied.all_iter_vars, copied.leaf_iter_vars = list(stage.all_iter_vars), list(stage.leaf_iter_vars)
            copied.relations = list(stage.relations)
        for stage in copies.values():
            stage.attach_stage = copies.get(id(stage.attach_stage))
            stage.group = copies.get(id(stage.group))
        new.stages = [copies[id(stage)] for stage in self.stages]
        new.groups = [copies[id(stage)] for stage in self.groups]
        new.stage_map = {op: copies[id(stage)] for op, stage in self.stage_map.items()}
        return new


@hook
def lower_schedule(
    schedule: Schedule, args: Sequence[Argument], name: str, binds: Mapping[Tensor, Buffer] | None
) -> IRModule:
    """Implement `Schedule.to_module`."""
    raise NotImplementedError


def _operations(values: Operations) -> list[Operation]:
    """Return one or several operations, or those of tensors, as a list."""
    sequence = [values] if isinstance(values, (Tensor, Operation)) else values
    return [value.op if isinstance(value, Tensor) else value for value in sequence]


def create_schedule(ops: Operations) -> Schedule:
    """Return a schedule of the operations that lead to some, or to tensors of them."""
    outputs = _operations(ops if isinstance(ops, (Tensor, Operation, Sequence)) else [ops])
    for op in outputs:
        if not isinstance(op, Operation):
            raise WrongType(where="te.create_schedule", expected="operations", got=repr(op))
    schedule = Schedule(outputs)
    for op in topological_order(outputs):
        stage = schedule.add_stage(op, len(schedule.stages))
        stage.is_output = op in outputs
        if isinstance(op, ScanOp):
            group = schedule.create_group(op.update, [*op.state_placeholder, *op.inputs])
            group.attach_type, group.attach_stage = Attach.SCAN_UPDATE, stage
    return schedule


def _between(ends: Iterable[Operation], begins: Iterable[Operation], include_begins: bool) -> list[Operation]:
    """Return the operations on the ways from some to others, inputs first."""
    boundary = set(begins)
    reaches: dict[Operation, bool] = {}
    order: list[Operation] = []

    def visit(op: Operation) -> bool:
        if op not in reaches:
            reaches[op] = op in boundary
            if op not in boundary:
                reaches[op] = sum(visit(tensor.op) for tensor in op.input_tensors) > 0
            if reaches[op] and (include_begins or op not in boundary):
                order.append(op)
        return reaches[op]

    for op in ends:
        visit(op)
    return order


def _rebase(schedule: Schedule) -> None:
    """Let all loops over axes begin at 0, but those that are bound to threads."""
    rebased: dict[IterVar | None, IterVar] = {}
    for stage in schedule.stages:
        if stage.attach_type is Attach.INLINED_ALREADY:
            continue
        # equality of axes is an expression
        leaves = {id(leaf) for leaf in stage.leaf_iter_vars}
        for axis in stage.op.root_axes:
            if id(axis) not in leaves or stage.attrs.get(axis, AxisAttrs()).bind_thread is not None:
                continue
            new_axis = rebased[axis] = IterVar(None, Var(axis.var.name, axis.var.dtype), axis.iter_type)
            stage.relations.append(Rebase(axis, new_axis))
            stage.all_iter_vars.append(new_axis)
            if axis in stage.attrs:
                stage.attrs[new_axis] = stage.attrs[axis]
        stage.leaf_iter_vars = [rebased.get(leaf, leaf) for leaf in stage.leaf_iter_vars]
    for stage in (*schedule.stages, *schedule.groups):
        stage.attach_ivar = rebased.get(stage.attach_ivar, stage.attach_ivar)


def _legalize_attachments(schedule: Schedule) -> None:
    """Move stages that are under a loop which was split or fused to the loop that is there now."""
    for stage in (*schedule.stages, *schedule.groups):
        parent, axis = stage.attach_stage, stage.attach_ivar
        if stage.attach_type is not Attach.SCOPE or parent is None or axis is None:
            continue
        if axis in parent.leaf_iter_vars:
            continue
        for relation in parent.relations:
            if isinstance(relation, Fuse) and relation.inner is axis:
                axis = relation.fused
            elif isinstance(relation, Split) and relation.parent is axis:
                axis = relation.inner
        stage.attach_ivar = axis


def is_elementwise(op: Operation) -> bool:
    """Return whether an operation computes each element from the elements at its own indices."""
    if not isinstance(op, ComputeOp):
        return False
    loads = [item for value in op.body for item in nodes(value) if isinstance(item, ProducerLoad)]
    axes = [axis.var for axis in op.axis]
    return all(len(load.indices) == len(axes) and all(map(_is, load.indices, axes)) for load in loads)


def _is(a: object, b: object) -> bool:
    return a is b


def is_broadcast(op: Operation) -> bool:
    """Return whether an operation computes each element from elements at some of its indices, in order."""
    if not isinstance(op, ComputeOp) or op.reduce_axis:
        return False
    places = {axis.var: place for place, axis in enumerate(op.axis)}
    for load in (item for value in op.body for item in nodes(value) if isinstance(item, ProducerLoad)):
        at = [places.get(index, -1) if isinstance(index, Var) else -1 for index in load.indices]
        if -1 in at or at != sorted(set(at)):
            return False
    return True


def is_injective(op: Operation) -> bool:
    """Return whether an operation is no reduction."""
    return isinstance(op, ComputeOp) and not op.reduce_axis


def _auto_inline(schedule: Schedule, is_inlined: Callable[[Operation], bool]) -> None:
    for stage in schedule.stages:
        if stage.attach_type is Attach.ROOT and not stage.is_output and is_inlined(stage.op):
            stage.compute_inline()


def auto_inline_elem_wise(schedule: Schedule) -> None:
    """Inline elementwise stages."""
    _auto_inline(schedule, lambda op: is_elementwise(op) and not op.reduce_axis)


def auto_inline_broadcast(schedule: Schedule) -> None:
    """Inline broadcasts."""
    _auto_inline(schedule, is_broadcast)


def auto_inline_injective(schedule: Schedule) -> None:
    """Inline everything that is no reduction."""
    _auto_inline(schedule, is_injective)
