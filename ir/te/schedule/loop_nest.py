"""The loops of one stage: messages along its relations, conditions at its bounds, and the nest itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, MutableMapping, Sequence
from functools import cached_property

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.int_set import IntervalSet, eval_set
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.schedule.relations import Domains, Marks, Sets, Values, update
from tvmscript.ir.te.schedule.stage import AxisAttrs, Stage
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import (
    AttrStmt,
    Expr,
    For,
    ForKind,
    IfThenElse,
    IntImm,
    IterKind,
    IterVar,
    LetStmt,
    Range,
    Stmt,
    Var,
    cast,
    uses,
)
from tvmscript.ir.tir.stmt import launch_key
from tvmscript.ir.tir.storage_scope import storage_scope

#: what stands around a statement
Around = Callable[[Stmt], Stmt]
#: for each loop, what it puts around the statements inside; before the first, what is around all loops
Nest = list[list[Around]]
#: an attribute that marks where the body of a loop is; stages are attached there
LOOP_SCOPE = "loop_scope"


def domains_down(stage: Stage, domains: Domains, analyzer: Analyzer, *, is_partial: bool = False) -> None:
    """Compute the ranges of a stage's loops from those of its axes."""
    bound = _axes_of_threads(stage)

    def limit(axis: IterVar) -> bool:
        return axis not in bound

    for relation in stage.relations:
        if is_partial and not relation.known(relation.parents, domains):
            continue
        relation.domains_down(domains, analyzer, limit)
    for axis, attrs in stage.attrs.items():
        if attrs.bind_thread is not None and axis in domains:
            update(domains, attrs.bind_thread, domains[axis], analyzer)


def _axes_of_threads(stage: Stage) -> set[IterVar]:
    """Return the loops that are bound to threads, and those that make up such loops."""
    bound = {axis for axis, attrs in stage.attrs.items() if attrs.bind_thread is not None}
    for relation in reversed(stage.relations):
        if not bound.isdisjoint(relation.children):
            bound.update(relation.parents)
    return bound


def values_up(stage: Stage, domains: Mapping[IterVar, Range], values: Values, *, is_partial: bool = False) -> None:
    """Compute the values of a stage's axes from those of its loops."""
    for relation in reversed(stage.relations):
        if not is_partial or relation.known(relation.children, values):
            relation.values_up(domains, values)


def values_down(stage: Stage, domains: Mapping[IterVar, Range], values: Values, *, is_partial: bool = False) -> None:
    """Compute the values of a stage's loops from those of its axes."""
    for relation in stage.relations:
        if not is_partial or relation.known(relation.parents, values):
            relation.values_down(domains, values)


def sets_up(stage: Stage, domains: Mapping[IterVar, Range], sets: Sets) -> None:
    """Compute sets of values of a stage's axes from those of its loops."""
    for relation in reversed(stage.relations):
        relation.sets_up(domains, sets)


def marks_up(stage: Stage, marks: Marks) -> None:
    """Give the axes of a stage the marks of the loops that they became."""
    for relation in reversed(stage.relations):
        relation.marks_up(marks)


def marks_down(stage: Stage, marks: Marks) -> None:
    """Give the loops of a stage the marks of the axes that they were."""
    for relation in stage.relations:
        relation.marks_down(marks)


class _Bounds:
    """Intervals of expressions over the ranges of axes."""

    def __init__(self, domains: Mapping[IterVar, Range]) -> None:
        self.ranges = domains

    @cached_property
    def domains(self) -> dict[Var, Range]:
        """The ranges by variable: most stages ask for none."""
        return {axis.var: domain for axis, domain in self.ranges.items()}

    @cached_property
    def analyzer(self) -> Analyzer:
        return Analyzer()

    def of(self, value: Expr) -> IntervalSet:
        """Return the interval of an expression; ranges may depend on axes with ranges."""
        relevant: dict[Var, Range] = {}
        stack = [value]
        while stack:
            for var in uses(stack.pop()):
                if var in self.domains and var not in relevant:
                    domain = relevant[var] = self.domains[var]
                    self.analyzer.bind(var, domain, allow_override=True)
                    stack += [domain.min, domain.extent]
        return eval_set(value, relevant, self.analyzer)

    def can_prove(self, condition: Expr) -> bool:
        """Return whether a condition provably holds."""
        return bool(condition.value) if isinstance(condition, IntImm) else self.analyzer.can_prove(condition)

    def are_same(self, a: Range, b: Range) -> bool:
        """Return whether two ranges are provably equal."""
        return a is b or (
            self.analyzer.can_prove_equal(a.min, b.min) and self.analyzer.can_prove_equal(a.extent, b.extent)
        )


def bound_checks(
    stage: Stage,
    domains: Mapping[IterVar, Range],
    values: Mapping[IterVar, Expr],
    *,
    skip_domains: bool = False,
    skipped: Collection[IterVar] = (),
) -> list[Expr]:
    """Return the conditions under which the loops of a stage stay inside of the ranges of its axes, but proven ones."""
    checked: MutableMapping[IterVar, bool] = dict.fromkeys(stage.leaf_iter_vars, False)
    bounds = _Bounds(domains)
    for relation in reversed(stage.relations):
        if relation.known((*relation.parents, *relation.children), domains) or not relation.parents:
            relation.checks_up(domains, checked, bounds.can_prove)
    conditions: list[Expr] = []
    for axis in stage.all_iter_vars:
        if axis in skipped or axis.iter_type is IterKind.OPAQUE or not checked.get(axis):
            continue
        domain = domains[axis]
        value = values[axis] - domain.min
        reach = bounds.of(value)
        if not reach.has_upper_bound or not bounds.can_prove(reach.max_value < domain.extent):
            conditions.append(value < domain.extent)
    for axis in stage.op.root_axes if not skip_domains else ():
        if axis in skipped or axis.iter_type is IterKind.OPAQUE or axis.dom is None:
            continue
        whole, domain = axis.dom, domains[axis]
        if bounds.are_same(whole, domain):
            continue
        value = values[axis] - whole.min
        reach = bounds.of(value)
        if not reach.has_lower_bound or not bounds.can_prove(reach.min_value >= 0):
            conditions.append(value >= 0)
        if not reach.has_upper_bound or not bounds.can_prove(reach.max_value < whole.extent):
            conditions.append(value < whole.extent)
    return conditions


def loop_nest(
    stage: Stage,
    domains: Mapping[IterVar, Range],
    values: Values,
    *,
    begin: int = 0,
    is_init: bool = False,
    skipped: Collection[IterVar] = (),
) -> Nest:
    """Return the loops of a stage from one inwards, and set the values of its axes.

    The loops of an init have variables of their own, and no stages are attached there.
    """
    nest: Nest = [[] for _ in range(len(stage.leaf_iter_vars) + 1)]
    for place, axis in enumerate(stage.leaf_iter_vars):
        if place < begin:
            continue
        if axis in skipped or axis.iter_type is IterKind.OPAQUE:
            values[axis] = axis.var
            continue
        attrs = stage.attrs.get(axis, AxisAttrs())
        thread = attrs.bind_thread or axis
        if thread.thread_tag:
            nest[place + 1].append(_launch(thread, domains[axis]))
            values[axis] = _thread_value(stage, axis, thread, domains[axis])
        else:
            around, values[axis] = _loop(axis, domains[axis], attrs, is_init)
            nest[place + 1] += around
        if not is_init:
            nest[place + 1].append(_attribute(axis, LOOP_SCOPE, axis.var))
    values_up(stage, domains, values)
    return nest


def _attribute(about: IterVar | Tensor, key: str, value: Expr) -> Around:
    return lambda body: AttrStmt(about, key, value, body)


def _launch(thread: IterVar, domain: Range) -> Around:
    if not is_const(domain.min, 0):
        reason = f"it begins at {domain.min}, but threads begin at 0"
        raise InvalidSchedule(where=f"thread axis {thread.var.name}", reason=reason)
    return _attribute(thread, launch_key(thread.thread_tag), cast(thread.var.dtype, domain.extent))


def thread_rank(tag: str) -> int:
    """Return 0 for a thread axis of blocks, 1 for one of threads."""
    if not tag.startswith(("blockIdx", "threadIdx", "vthread", "cthread")):
        raise WrongType(where="a thread axis", expected="blockIdx, threadIdx or vthread", got=repr(tag))
    return 0 if tag.startswith("blockIdx") else 1


def _thread_value(stage: Stage, axis: IterVar, thread: IterVar, domain: Range) -> Expr:
    """Return the value of a loop that is bound to threads: where each thread has memory of its own it begins at 0."""
    var = cast(axis.var.dtype, thread.var)
    if launch_key(thread.thread_tag) == "virtual_thread":
        return var
    if is_const(domain.extent, 1):
        return cast(axis.var.dtype, domain.min)
    rank = thread_rank(thread.thread_tag)
    is_warp = stage.scope == "warp" and thread.thread_tag == "threadIdx.x"
    if not stage.scope or storage_scope(stage.scope).rank <= rank or is_warp:
        return var
    return cast(axis.var.dtype, domain.min)


def _loop(axis: IterVar, domain: Range, attrs: AxisAttrs, is_init: bool) -> tuple[list[Around], Expr]:
    """Return a loop over an axis, which begins at 0 in a normalized schedule, and the value of the axis inside."""
    var = Var(f"{axis.var.name}.init", axis.var.dtype) if is_init else axis.var
    around: list[Around] = []
    for key, fact in attrs.pragmas:
        around.append(_attribute(axis, f"pragma_{key}", fact))
    zero = IntImm(var.dtype, 0)
    value: Expr = zero if is_const(domain.extent, 1) else var
    around.append(_let(var, value) if value is zero else _for(var, zero, domain.extent, attrs.kind))
    for tensor, _, offset in attrs.prefetches:
        around.append(_attribute(tensor, "prefetch_scope", offset))
    return around, value


def _let(var: Var, value: Expr) -> Around:
    return lambda body: LetStmt(var, value, body)


def _for(var: Var, start: Expr, extent: Expr, kind: ForKind) -> Around:
    return lambda body: For(var, start, extent, kind, body)


def condition_nest(conditions: Sequence[Expr]) -> list[Around]:
    """Return conditions around a statement."""
    return [_if(condition) for condition in conditions]


def _if(condition: Expr) -> Around:
    return lambda body: IfThenElse(condition, body)


def merge(nest: Sequence[Sequence[Around]], body: Stmt) -> Stmt:
    """Return a statement inside of a nest."""
    for level in reversed(nest):
        for around in reversed(level):
            body = around(body)
    return body


def touched_by_reduction(stage: Stage, spatial: Sequence[IterVar], reduced: Sequence[IterVar]) -> dict[IterVar, int]:
    """Return for each axis 1 where it comes from a spatial axis, 2 from a reduction axis, 3 from both."""
    marks: dict[IterVar, int] = {**dict.fromkeys(reduced, 2), **dict.fromkeys(spatial, 1)}
    marks_down(stage, marks)
    return marks
