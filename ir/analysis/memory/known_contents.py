"""Forward analysis of known buffer contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import add, logical_not, make, sub
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core import CallEffect, Op, nodes, on
from tvmscript.ir.tir import Buffer, BufferStore, Expr, For, Stmt, TirRewriter, Var, effect_of, substitute, uses
from tvmscript.ir.tir.expr import EQ, GE, LE, LT, NE, And, BufferLoad, Call, FloorDiv, IntImm, Or

#: As many facts are kept at once.
_MOST = 32


@dataclass(frozen=True, eq=False)
class Known:
    """A set of elements of a buffer, by conditions on its axes, and their value."""

    buffer: Buffer
    axes: tuple[Var, ...]
    conditions: tuple[Expr, ...]
    value: Expr
    #: the indices with which it was learned
    places: tuple[Expr, ...]

    def with_condition(self, condition: Expr) -> Known:
        return replace(self, conditions=(*self.conditions, condition))

    def substituted(self, var: Var, by: Expr) -> Known:
        conditions = tuple([substitute(each, {var: by}) for each in self.conditions])
        return replace(self, conditions=conditions, value=substitute(self.value, {var: by}))

    def mentions(self, var: Var) -> bool:
        return var in uses((self.conditions, self.value))


State = tuple[Known, ...]


class Contents:
    """Known contents at one program point; `state` can be saved and restored."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer = analyzer
        self.state: State = ()

    # -- questions

    def value(self, load: BufferLoad) -> Expr | None:
        """Return the known value of an element, or None."""
        if load.predicate is not None or any(index.dtype.lanes != 1 for index in load.indices):
            return None
        for known in reversed(self.state):
            if known.buffer is not load.buffer:
                continue
            places = dict(zip(known.axes, load.indices, strict=True))
            if all(self.analyzer.can_prove(substitute(each, places)) for each in known.conditions):
                return substitute(known.value, places)
        return None

    def looked_up(self, expr: Expr) -> Expr:
        """Replace loads of known elements by their values; return the same object if there are none."""
        return _LookUp(self).rewrite(expr) if self.state else expr

    # -- what changes

    def learn(self, buffer: Buffer, indices: Sequence[Expr], value: Expr, conditions: Iterable[Expr] = ()) -> None:
        """An element has this value from here on, where the conditions hold."""
        if any(effect_of(part) > CallEffect.PURE or part.dtype.lanes != 1 for part in (*indices, value, *conditions)):
            return
        axes = tuple([Var(f"p{place}", index.dtype) for place, index in enumerate(indices)])
        places = [EQ(axis, index) for axis, index in zip(axes, indices, strict=True)]
        self.state = (*self.state, Known(buffer, axes, (*places, *conditions), value, tuple(indices)))[-_MOST:]

    def store(self, node: BufferStore) -> None:
        """Update the contents for a store."""
        kept: list[Known] = []
        is_plain = all(effect_of(index) <= CallEffect.PURE and index.dtype.lanes == 1 for index in node.indices)
        for known in self.state:
            if known.buffer.data is not node.buffer.data:
                kept.append(known)
            elif known.buffer is node.buffer and is_plain:
                differs = [NE(axis, index) for axis, index in zip(known.axes, node.indices, strict=True)]
                condition: Expr = differs[0]
                for other in differs[1:]:
                    condition = Or(condition, other)
                kept.append(known.with_condition(condition))
        value = self.looked_up(node.value)
        self.state = tuple(kept)
        if is_plain and node.predicate is None and node.indices:
            self.learn(node.buffer, node.indices, value)

    def assume(self, condition: Expr, around: tuple[Expr, ...] = ()) -> None:
        """A condition on an element holds from here on; in a disjunction where the rest does not."""
        if isinstance(condition, And):
            self.assume(condition.a, around)
            self.assume(condition.b, around)
        elif isinstance(condition, Or):
            for one, other in ((condition.a, condition.b), (condition.b, condition.a)):
                if effect_of(other) <= CallEffect.PURE:
                    self.assume(one, (*around, logical_not(other)))
        elif isinstance(condition, EQ):
            for one, other in ((condition.a, condition.b), (condition.b, condition.a)):
                if isinstance(one, BufferLoad) and one.predicate is None:
                    self.learn(one.buffer, one.indices, other, around)

    def forget(self, datas: Iterable[Var] | None = None) -> None:
        """Memory may be anything from here on; all memory without argument."""
        gone = None if datas is None else set(datas)
        self.state = tuple([known for known in self.state if gone is not None and known.buffer.data not in gone])

    def forget_name(self, var: Var) -> None:
        """A variable is not known outside."""
        self.state = tuple([known for known in self.state if not known.mentions(var)])

    # -- control

    def enter(self, loop: For) -> State:
        """Return the state before the loop and switch to what holds at the start of every iteration."""
        before = self.state
        written = _Written.of(loop)
        if written.is_anything:
            self.state = ()
            return before
        kept: list[Known] = []
        for known in before:
            indices = written.indices(known.buffer)
            if indices is None:
                kept.append(known)
                continue
            place = _solve_iteration(loop.loop_var, known.axes, indices)
            if place is not None:
                # not written yet
                kept.append(known.with_condition(GE(place, loop.loop_var)))
        self.state = tuple(kept)
        return before

    def leave(self, loop: For, before: State) -> None:
        """Switch to what holds after the loop."""
        end = add(loop.min, loop.extent)
        written = _Written.of(loop)
        kept: list[Known] = []
        for known in before:
            indices = written.indices(known.buffer)
            if indices is None and not written.is_anything:
                kept.append(known)
                continue
            place = None if indices is None else _solve_iteration(loop.loop_var, known.axes, indices)
            if place is not None and not written.is_anything:
                kept.append(known.with_condition(Or(LT(place, loop.min), GE(place, end))))
        runs = self.analyzer.can_prove(LT(IntImm(loop.extent.dtype, 0), loop.extent))
        for known in self.state:
            if any(known is each for each in kept):
                continue
            if not known.mentions(loop.loop_var):
                kept += [known] if runs else []
                continue
            indices = written.indices(known.buffer)
            solution = _last_write(self.analyzer, known, loop.loop_var)
            is_last = indices is None or self.are_equal(known.places, indices)
            if solution is not None and is_last and not written.is_anything:
                last = known.substituted(loop.loop_var, solution)
                limits = (LE(loop.min, solution), LT(solution, end))
                kept.append(replace(last, conditions=(*last.conditions, *limits)))
        self.state = tuple(kept)[-_MOST:]

    def are_equal(self, a: Sequence[Expr], b: Sequence[Expr]) -> bool:
        """Whether two places are known to be the same."""
        return len(a) == len(b) and all(map(self.analyzer.can_prove_equal, a, b))

    def join(self, condition: Expr, then_state: State, else_state: State) -> None:
        """Join the states of both branches."""
        common = [known for known in then_state if any(known is each for each in else_state)]
        kept = list(common)
        if effect_of(condition) <= CallEffect.PURE:
            for state, holds in ((then_state, condition), (else_state, logical_not(condition))):
                kept += [known.with_condition(holds) for known in state if not any(known is each for each in common)]
        self.state = tuple(kept)[-_MOST:]


class _LookUp(TirRewriter):
    def __init__(self, contents: Contents) -> None:
        super().__init__()
        self.contents = contents

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        rewritten: Any = super().load(node)
        value = self.contents.value(rewritten)
        return rewritten if value is None else value


@dataclass
class _Written:
    """Effects of a statement: written indices by buffer, or any memory."""

    stores: dict[Buffer, list[tuple[Expr, ...]]]
    datas: set[Var]
    is_anything: bool

    @staticmethod
    def of(stmt: Stmt) -> _Written:
        written = _Written({}, set(), False)
        for node in nodes(stmt):
            if isinstance(node, BufferStore):
                written.stores.setdefault(node.buffer, []).append(node.indices)
                written.datas.add(node.buffer.data)
            elif isinstance(node, Call) and not is_assumption(node):
                effect = node.op.effect if isinstance(node.op, Op) else CallEffect.UPDATE_STATE
                written.is_anything = written.is_anything or effect > CallEffect.READ_STATE
        return written

    def indices(self, buffer: Buffer) -> tuple[Expr, ...] | None:
        """The indices that all stores to a buffer have; () where they differ, None where it is not written."""
        if buffer.data not in self.datas:
            return None
        stores = self.stores.get(buffer, [])
        if not stores or any(other is not buffer and other.data is buffer.data for other in self.stores):
            return ()
        return stores[0] if all(_all_same(stores[0], other) for other in stores) else ()


def is_assumption(node: object) -> bool:
    """Return whether a call is `T.assume`."""
    return isinstance(node, Call) and isinstance(node.op, Op) and node.op.name == "tir.assume"


def _all_same(a: Sequence[Expr], b: Sequence[Expr]) -> bool:
    return len(a) == len(b) and all(map(expr_deep_equal, a, b))


def _solve_iteration(var: Var, axes: Sequence[Var], indices: Sequence[Expr]) -> Expr | None:
    """Return the iteration that writes an element; None if a single index does not determine it."""
    for axis, index in zip(axes, indices, strict=False):
        if effect_of(index) > CallEffect.PURE:
            return None
        coefficients = detect_linear_equation(index, [var])
        if coefficients and isinstance(coefficients[0], IntImm) and abs(coefficients[0].value) == 1:
            return sub(axis, coefficients[1]) if coefficients[0].value == 1 else sub(coefficients[1], axis)
    return None


def _last_write(analyzer: Analyzer, known: Known, var: Var) -> Expr | None:
    """Return the iteration that gave an element its value."""
    for condition in known.conditions:
        if isinstance(condition, EQ) and isinstance(condition.a, Var) and condition.a in known.axes:
            iteration = _solve_iteration(var, (condition.a,), (condition.b,))
            if iteration is not None:
                return iteration
    # 0 <= p - c * i < c
    for condition in known.conditions:
        if not isinstance(condition, LT) or not isinstance(condition.b, IntImm):
            continue
        coefficients = detect_linear_equation(analyzer.simplify(condition.a), [var])
        if coefficients and isinstance(coefficients[0], IntImm) and coefficients[0].value == -condition.b.value:
            return make(FloorDiv, coefficients[1], condition.b)
    return None
