"""Stages: one operation each, its loops, and where it is computed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.relations import Fuse, Relation, Singleton, Split
from tvmscript.ir.te.tensor import Extent, Index, Operation, ScanOp, Tensor
from tvmscript.ir.te.tensor_intrin import TensorIntrin
from tvmscript.ir.tir import Expr, ForKind, IterKind, IterVar, Range, Var, as_expr, cast
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.index_map import IndexMap

if TYPE_CHECKING:
    from tvmscript.ir.te.schedule.schedule import Schedule


#: stands between the indices of a layout that are axes of memory of their own
AXIS_SEPARATOR: Final = IndexMap.AXIS_SEPARATOR


class Attach(Enum):
    """Where a stage is computed."""

    #: at the top, or where its group is
    ROOT = 1
    #: nowhere: its consumers compute its elements
    INLINE = 2
    INLINED_ALREADY = 3
    #: under a loop of another stage
    SCOPE = 4
    #: in each step of a scan
    SCAN_UPDATE = 5


@dataclass(frozen=True)
class AxisAttrs:
    """What is said of an axis."""

    kind: ForKind = ForKind.SERIAL
    bind_thread: IterVar | None = None
    prefetches: tuple[tuple[Tensor, IterVar | None, Expr], ...] = ()
    pragmas: tuple[tuple[str, Expr], ...] = ()
    #: factor and offset of the stride of a dimension
    alignment: tuple[Expr, Expr] | None = None
    tensor_intrin: TensorIntrin | None = None


_ITERATED = (IterKind.DATA_PAR, IterKind.COMM_REDUCE, IterKind.ORDERED)


@dataclass(eq=False, repr=False)
class Stage:
    """The schedule of an operation, `s[C]`. Its methods return axes, or the stage itself."""

    op: Operation
    schedule: Schedule
    all_iter_vars: list[IterVar] = field(default_factory=list)
    leaf_iter_vars: list[IterVar] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)
    attrs: dict[IterVar, AxisAttrs] = field(default_factory=dict)
    attach_type: Attach = Attach.ROOT
    attach_ivar: IterVar | None = None
    attach_stage: Stage | None = None
    scope: str = ""
    is_output: bool = False
    is_double_buffered: bool = False
    is_rolling: bool = False
    group: Stage | None = None
    num_child_stages: int = 0
    threads: list[IterVar] = field(default_factory=list)
    store_predicate: Expr | None = None
    axis_separators: tuple[int, ...] = ()
    layout_maps: list[IndexMap] = field(default_factory=list)
    is_group: bool = False

    def __post_init__(self) -> None:
        #: the operation that the user sees: `op` is replaced by caches and factored reductions
        self.origin_op = self.op
        self.reset_axes()

    def reset_axes(self) -> None:
        """Let the loops be the axes of the operation, outermost first."""
        axes = () if self.is_group else self.op.root_axes
        self.all_iter_vars = list(axes)
        self.leaf_iter_vars = [axis for axis in axes if axis.iter_type is not IterKind.OPAQUE]
        self.relations = []

    @property
    def is_untouched(self) -> bool:
        """Whether no primitive has changed the stage."""
        plain = Stage(self.op, self.schedule, is_output=self.is_output)
        return all(getattr(self, each.name) == getattr(plain, each.name) for each in fields(Stage))

    @property
    def iter_var_attrs(self) -> dict[IterVar, AxisAttrs]:
        return self.attrs

    @property
    def env_thread_axes(self) -> list[IterVar]:
        """Threads that are launched around the stage."""
        return self.threads

    def __repr__(self) -> str:
        return f"stage({self.op.name})"

    def _fail(self, primitive: str, reason: str) -> InvalidSchedule:
        return InvalidSchedule(where=f"{primitive} of stage {self.origin_op.name}", reason=reason)

    def leaf(self, primitive: str, axis: object) -> int:
        """Return the place of a loop. Raises `InvalidSchedule` for what is no loop of the stage."""
        if not isinstance(axis, IterVar):
            raise WrongType(where=f"{primitive} of stage {self.origin_op.name}", expected="an axis", got=repr(axis))
        for place, leaf in enumerate(self.leaf_iter_vars):
            if leaf is axis:
                return place
        loops = ", ".join(leaf.var.name for leaf in self.leaf_iter_vars)
        was_leaf = any(each is axis for each in self.all_iter_vars)
        what = "was split or fused" if was_leaf else "is no axis of the stage"
        raise self._fail(primitive, f"{axis.var.name} {what}; its loops are {loops}")

    def set_attrs(self, axis: IterVar, **changes: Any) -> Stage:
        """Change what is said of an axis."""
        self.attrs[axis] = replace(self.attrs.get(axis, AxisAttrs()), **changes)
        return self

    def attach_spec(self) -> Stage:
        """Return the stage or group that says where this one is computed."""
        stage = self
        while stage.attach_type is Attach.ROOT and stage.group is not None:
            stage = stage.group
        return stage

    # -- loops

    def split(
        self,
        parent: IterVar,
        factor: Extent | None = None,
        nparts: Extent | None = None,
        disable_predication: bool = False,
    ) -> tuple[IterVar, IterVar]:
        """Split a loop by the extent of the inner one, or by the number of parts; return the outer and the inner one.

        `disable_predication` leaves out the condition that the parts end where the loop does.
        """
        place = self.leaf("split", parent)
        if (factor is None) == (nparts is None):
            raise self._fail("split", "give either factor or nparts")
        if parent.iter_type not in _ITERATED:
            raise self._fail("split", f"{parent.var.name} is a {parent.iter_type.name} axis")
        outer, inner = (_derived(parent, f"{parent.var.name}.{name}") for name in ("outer", "inner"))
        self.leaf_iter_vars[place : place + 1] = [outer, inner]
        self.all_iter_vars += [outer, inner]
        size = cast(parent.var.dtype, nparts if factor is None else factor)
        by_factor, by_parts = (None, size) if factor is None else (size, None)
        self.relations.append(Split(parent, outer, inner, by_factor, by_parts, disable_predication))
        return outer, inner

    def fuse(self, *args: IterVar | list[IterVar] | tuple[IterVar, ...]) -> IterVar:
        """Fuse loops, outermost first, which follow each other; return the loop."""
        axes = [axis for arg in args for axis in (arg if isinstance(arg, (list, tuple)) else (arg,))]
        if not axes:
            single = IterVar(Range(0, 1), Var("singleton", "int32"), IterKind.DATA_PAR)
            self.relations.append(Singleton(single))
            self.all_iter_vars.append(single)
            self.leaf_iter_vars.insert(0, single)
            return single
        fused: IterVar = axes[0]
        for axis in axes[1:]:
            fused = self._fuse_two(fused, axis)
        return fused

    def _fuse_two(self, outer: IterVar, inner: IterVar) -> IterVar:
        first, second = self.leaf("fuse", outer), self.leaf("fuse", inner)
        if first == second + 1:
            outer, inner, first, second = inner, outer, second, first
        if second != first + 1:
            raise self._fail("fuse", f"{inner.var.name} is not the loop inside of {outer.var.name}")
        for axis in (outer, inner):
            if axis.iter_type not in _ITERATED:
                raise self._fail("fuse", f"{axis.var.name} is a {axis.iter_type.name} axis")
        kind = max(outer.iter_type, inner.iter_type)
        dtype = (outer.var * inner.var).dtype
        fused = IterVar(None, Var(f"{outer.var.name}.{inner.var.name}.fused", dtype), kind)
        self.leaf_iter_vars[first : second + 1] = [fused]
        self.all_iter_vars.append(fused)
        self.relations.append(Fuse(outer, inner, fused))
        return fused

    def reorder(self, *args: IterVar) -> Stage:
        """Order loops, outermost first; the others stay where they are."""
        places = [self.leaf("reorder", axis) for axis in args]
        if len(set(places)) != len(places):
            raise self._fail("reorder", "an axis is given twice")
        for place, axis in zip(sorted(places), args, strict=True):
            if axis.iter_type not in _ITERATED:
                raise self._fail("reorder", f"{axis.var.name} is a {axis.iter_type.name} axis")
            self.leaf_iter_vars[place] = axis
        return self

    def tile(
        self, x_parent: IterVar, y_parent: IterVar, x_factor: Extent, y_factor: Extent
    ) -> tuple[IterVar, IterVar, IterVar, IterVar]:
        """Split two loops by factors and order the parts; return x outer, y outer, x inner, y inner."""
        x_outer, x_inner = self.split(x_parent, x_factor)
        y_outer, y_inner = self.split(y_parent, y_factor)
        self.reorder(x_outer, y_outer, x_inner, y_inner)
        return x_outer, y_outer, x_inner, y_inner

    # -- what is said of loops

    def parallel(self, var: IterVar) -> Stage:
        """Run the iterations of a loop in parallel."""
        return self._with_kind("parallel", var, ForKind.PARALLEL)

    def vectorize(self, var: IterVar) -> Stage:
        """Run the iterations of a loop as vector operations."""
        return self._with_kind("vectorize", var, ForKind.VECTORIZED)

    def unroll(self, var: IterVar) -> Stage:
        """Write the iterations of a loop one after the other."""
        return self._with_kind("unroll", var, ForKind.UNROLLED)

    def _with_kind(self, primitive: str, axis: IterVar, kind: ForKind) -> Stage:
        self.leaf(primitive, axis)
        return self.set_attrs(axis, kind=kind)

    def bind(self, ivar: IterVar, thread_ivar: IterVar) -> Stage:
        """Bind a loop to a thread axis."""
        if thread_ivar.iter_type is not IterKind.THREAD_INDEX:
            raise self._fail("bind", f"{thread_ivar.var.name} is no thread axis")
        self.leaf("bind", ivar)
        tag = thread_ivar.thread_tag
        if tag.startswith(("blockIdx.", "threadIdx.")):
            for axis in self.leaf_iter_vars:
                thread = self.attrs.get(axis, AxisAttrs()).bind_thread
                if axis is not ivar and thread is not None and thread.thread_tag == tag:
                    raise self._fail("bind", f"{axis.var.name} is bound to {tag} already")
        return self.set_attrs(ivar, bind_thread=thread_ivar)

    def pragma(self, var: IterVar, pragma_type: str, pragma_value: Operand | str | None = None) -> Stage:
        """State a fact about a loop for passes: `s[C].pragma(i, "auto_unroll_max_step", 16)`."""
        if pragma_type in ("unroll", "vectorize"):
            return self.unroll(var) if pragma_type == "unroll" else self.vectorize(var)
        self.leaf("pragma", var)
        value = as_expr(1 if pragma_value is None else pragma_value)
        return self.set_attrs(var, pragmas=(*self.attrs.get(var, AxisAttrs()).pragmas, (pragma_type, value)))

    def prefetch(self, tensor: Tensor, var: IterVar, offset: Extent) -> Stage:
        """Prefetch what a loop reads of a tensor `offset` iterations later."""
        self.leaf("prefetch", var)
        item = (tensor, var, as_expr(offset))
        return self.set_attrs(var, prefetches=(*self.attrs.get(var, AxisAttrs()).prefetches, item))

    def storage_align(self, axis: IterVar, factor: Extent, offset: Extent) -> Stage:
        """Let the stride of a dimension be `factor * k + offset` elements."""
        return self.set_attrs(axis, alignment=(as_expr(factor), as_expr(offset)))

    def tensorize(self, var: IterVar, tensor_intrin: TensorIntrin) -> Stage:
        """Replace the loops from one inwards by a tensor intrinsic."""
        self.leaf("tensorize", var)
        return self.set_attrs(var, tensor_intrin=tensor_intrin)

    # -- the stage

    def compute_at(self, parent: Stage, scope: IterVar) -> Stage:
        """Compute under a loop of another stage what one iteration of it needs."""
        if self.is_output:
            raise self._fail("compute_at", "it is an output, which is computed at the root")
        group = parent.group
        while group is not None and self.group is not group:
            group = group.group
        if self.group is not group:
            raise self._fail("compute_at", "it is outside of the group of the other stage")
        parent.leaf("compute_at", scope)
        self.attach_type, self.attach_ivar, self.attach_stage = Attach.SCOPE, scope, parent
        return self

    def compute_inline(self) -> Stage:
        """Compute the elements where they are used."""
        if self.attach_type is Attach.SCAN_UPDATE:
            raise self._fail("compute_inline", "it is the update of a scan")
        self.attach_type = Attach.INLINE
        return self

    def compute_root(self) -> Stage:
        """Compute everything at the top."""
        self.attach_type = Attach.ROOT
        return self

    def set_scope(self, scope: str) -> Stage:
        """Set the storage scope of the output."""
        self.scope = scope
        return self

    def double_buffer(self) -> Stage:
        """Use two buffers in turns."""
        self._check_own_memory("double_buffer")
        self.is_double_buffered = True
        return self

    def _check_own_memory(self, primitive: str) -> None:
        if self.is_output:
            raise self._fail(primitive, "it is an output")
        if len(self.op.outputs) > 1:
            raise self._fail(primitive, "it has several outputs")
        if self.is_part_of_scan:
            raise self._fail(primitive, "its tensor is a part of a scan")

    @property
    def is_part_of_scan(self) -> bool:
        """Whether the stage computes the first states of a scan, or those of a step."""
        scans = [stage.op for stage in self.schedule.stages if isinstance(stage.op, ScanOp)]
        return any(tensor.op is self.op for scan in scans for tensor in (*scan.init, *scan.update))

    @property
    def is_in_steps_of_scan(self) -> bool:
        """Whether the stage is computed in the steps of a scan."""
        group = self.group
        while group is not None and group.attach_type is not Attach.SCAN_UPDATE:
            group = group.group
        return group is not None

    def rolling_buffer(self) -> Stage:
        """Keep what the next iteration needs too."""
        self._check_own_memory("rolling_buffer")
        self.is_rolling = True
        return self

    def env_threads(self, threads: IterVar | Iterable[IterVar]) -> Stage:
        """Launch threads around the stage, as a scan needs."""
        if not isinstance(self.op, ScanOp):
            raise self._fail("env_threads", "it is no scan")
        self.threads = [threads] if isinstance(threads, IterVar) else list(threads)
        self.leaf_iter_vars[:0] = self.threads
        self.all_iter_vars[:0] = self.threads
        return self

    def set_store_predicate(self, predicate: Operand) -> Stage:
        """Store where a condition holds."""
        self.store_predicate = as_expr(predicate)
        return self

    def transform_layout(self, mapping_function: Callable[..., Sequence[Index | str]]) -> list[IterVar]:
        """Change the layout of the output by a map of indices; return the new loops.

        `te.AXIS_SEPARATOR` among the results begins an axis of memory of its own.
        """
        return self.schedule.transform_layout(self, mapping_function)


def _derived(axis: IterVar, name: str) -> IterVar:
    return IterVar(None, Var(name, axis.var.dtype), axis.iter_type)
