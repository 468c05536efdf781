"""Reductions over generators: `te.sum(A[i, k] * B[k, j] for k in range(K))`.

While the function of a `te.compute` runs, `range` in it takes expressions (`symbolic_ranges`), and a reduction runs a
generator once, for one element: a `range` of a `for` clause yields a reduction axis, and a condition is taken to hold.
The function runs again for each condition, which is taken not to hold then: the generator must end. So other uses of a
truth value, `a or b`, are refused rather than misread.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import reduce
from types import CodeType, FunctionType, GeneratorType
from typing import Any, Final

from tvmscript.ir.arith.fold import TRUE
from tvmscript.ir.core.errors import DTypeMismatch
from tvmscript.ir.te.errors import InvalidGenerator
from tvmscript.ir.tir import Expr, IterKind, IterVar, Range, Var, as_expr, match_types
from tvmscript.ir.tir.base import TRUTH
from tvmscript.ir.tir.operators import logical_and


class _Evaluation:
    """One run of the function of a `te.compute`."""

    def __init__(self, denied: int = -1) -> None:
        #: number of the condition that is taken not to hold
        self.denied = denied
        #: how many conditions were asked for
        self.asked = 0
        #: axes of ranges that were iterated by the generator that runs now; None where none runs
        self.axes: list[IterVar] | None = None


class _Denied(Exception):
    """The generator ended where its condition was taken not to hold, as it must."""


_CURRENT: Final[ContextVar[_Evaluation | None]] = ContextVar("evaluation", default=None)


class _Axes(Sequence[int]):
    """A `range` in the function of a `te.compute`: an axis in a generator of a reduction, integers elsewhere."""

    def __init__(self, *bounds: Any) -> None:
        self.bounds = bounds

    def integers(self) -> range:
        return builtins.range(*self.bounds)

    def __iter__(self) -> Iterator[Any]:
        return _AxesIterator(self)

    def __len__(self) -> int:
        return len(self.integers())

    def __getitem__(self, index: Any) -> Any:
        return self.integers()[index]

    def __repr__(self) -> str:
        return f"range({', '.join(map(str, self.bounds))})"


class _AxesIterator(Iterator[Any]):
    """The outermost range of a generator is asked for its iterator before the reduction runs the generator."""

    def __init__(self, axes: _Axes) -> None:
        self.axes = axes
        self.values: Iterator[Any] | None = None

    def __next__(self) -> Any:
        if self.values is None:
            evaluation = _CURRENT.get()
            axes = None if evaluation is None else evaluation.axes
            self.values = iter(self.axes.integers()) if axes is None else self._axis(axes)
        return next(self.values)

    def _axis(self, axes: list[IterVar]) -> Iterator[Any]:
        """Yield the values of the range as one expression."""
        bounds = self.axes.bounds
        first, last = (0, *bounds)[-2:] if len(bounds) < 3 else bounds[:2]
        step = as_expr(bounds[2]) if len(bounds) == 3 else None
        if step is None:
            axis = IterVar(Range(first, last), Var("k", Range(first, last).min.dtype), IterKind.COMM_REDUCE)
            axes.append(axis)
            yield axis.var
            return
        low, high = match_types(first, last)
        extent = (high - low + step - 1) // step
        axis = IterVar(Range(0, extent), Var("k", extent.dtype), IterKind.COMM_REDUCE)
        axes.append(axis)
        yield low + axis.var * step


def _uses_range(code: CodeType) -> bool:
    """Return whether a function, or one inside of it, uses the name `range`."""
    return "range" in code.co_names or any(isinstance(item, CodeType) and _uses_range(item) for item in code.co_consts)


def _with_range(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with a `range` that takes expressions, where it means that of Python."""
    if not isinstance(function, FunctionType) or not _uses_range(function.__code__):
        return function
    if function.__globals__.get("range", builtins.range) is not builtins.range:
        return function
    names = {**function.__globals__, "range": _Axes}
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


def evaluate(function: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Call the function of a `te.compute`. Raises `InvalidGenerator`."""
    with_range, first = _with_range(function), _Evaluation()
    result = _run(first, with_range, args)
    for denied in range(first.asked):
        try:
            _run(_Evaluation(denied), with_range, args)
        except _Denied:
            continue
        raise InvalidGenerator(name="compute", reason="its conditions differ from one run to the next")
    return result


def _run(evaluation: _Evaluation, function: Callable[..., Any], args: Sequence[Any]) -> Any:
    token = _CURRENT.set(evaluation)
    try:
        return function(*args)
    finally:
        _CURRENT.reset(token)


def expand(generator: Generator[Any, None, None], name: str) -> tuple[Any, list[IterVar], Expr]:
    """Return the element of a generator, the axes of its ranges and the conjunction of its conditions.

    Raises `InvalidGenerator` for a generator of which no reduction can be made.
    """
    evaluation = _CURRENT.get()
    if evaluation is None or not isinstance(generator, GeneratorType):
        raise InvalidGenerator(
            name=name, reason="it is not in the function of a te.compute", hint="or give axes: te.reduce_axis((0, K))"
        )
    code, frame = generator.gi_code, generator.gi_frame
    assert frame is not None
    conditions: list[Expr] = []
    with _running(evaluation, conditions) as axes:
        try:
            element = next(generator)
        except StopIteration:
            if 0 <= evaluation.denied < evaluation.asked:
                raise _Denied from None
            reason = "no element is left"
            raise InvalidGenerator(name=name, reason=reason, hint="write conditions as `if a if b`") from None
        local = [(key, value) for key, value in frame.f_locals.items() if key in code.co_varnames + code.co_cellvars]
        if 0 <= evaluation.denied < evaluation.asked:
            reason = "a truth value is used for something else than to leave elements out"
            raise InvalidGenerator(name=name, reason=reason, hint="write te.any(a, b), te.if_then_else(c, a, b)")
        try:
            next(generator)
        except StopIteration:
            pass
        else:
            raise InvalidGenerator(name=name, reason="its `for` clauses go over something else than `range`")
    names = {id(value): key for key, value in local}
    for axis in axes:
        var: Any = axis.var
        var.name = names.get(id(axis.var), next((key for key, value in local if _uses(value, axis.var)), None))
        if var.name is None:
            raise InvalidGenerator(name=name, reason="a `range` is used elsewhere than in its `for` clauses")
    return element, axes, reduce(logical_and, conditions) if conditions else TRUE


def _uses(value: object, var: Var) -> bool:
    """Return whether the variable of a `for` clause is computed from the variable of an axis."""
    return (
        isinstance(value, Expr)
        and not value.is_name
        and any(_uses(p, var) or p is var for p in value.schema.parts_of(value))
    )


@contextmanager
def _running(evaluation: _Evaluation, conditions: list[Expr]) -> Generator[list[IterVar]]:
    """Let ranges yield axes, and conditions hold."""

    def decide(condition: Expr) -> bool:
        number = evaluation.asked
        evaluation.asked += 1
        if not condition.dtype.is_bool:
            raise DTypeMismatch(where="a condition of a generator", left="bool", right=condition.dtype)
        conditions.append(condition)
        return number != evaluation.denied

    outer, evaluation.axes = evaluation.axes, []
    token = TRUTH.set(decide)
    try:
        yield evaluation.axes
    finally:
        TRUTH.reset(token)
        evaluation.axes = outer
