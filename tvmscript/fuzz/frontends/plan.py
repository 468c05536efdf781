"""A plan of a model: operators that are drawn with their values first, and applied to a front end's tensors later."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.frontends.functions import BINARY, UNARY
from tvmscript.fuzz.frontends.pool import FLOATS, Array, Pool, Value

Tensor = Value[int]
Call = Callable[..., Any]


@dataclass(frozen=True)
class Step:
    """A call of an operator: its operands, and the numbers of its results."""

    call: Call
    operands: tuple[int, ...]
    results: tuple[int, ...]
    is_tuple: bool


class Plan:
    """Operators of a model. Tensors are numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.inputs: dict[int, Array] = {}
        self.pool: Pool[int] = Pool(rng, self._declare)
        self.steps: list[Step] = []
        self._count = 0

    def _number(self) -> int:
        self._count += 1
        return self._count

    def _declare(self, array: Array) -> int:
        number = self._number()
        self.inputs[number] = array
        return number

    def apply(self, call: Call, operands: Sequence[Tensor], array: Any, *, is_exact: bool = True) -> Tensor:
        """Add a call with one result."""
        number = self._number()
        self.steps.append(Step(call, tuple(each.ref for each in operands), (number,), False))
        return self.pool.add(number, array, *operands, is_exact=is_exact)

    def apply_all(
        self, call: Call, operands: Sequence[Tensor], arrays: Sequence[Any], *, is_exact: bool = True
    ) -> None:
        """Add a call whose result is a tuple."""
        numbers = tuple(self._number() for _ in arrays)
        self.steps.append(Step(call, tuple(each.ref for each in operands), numbers, True))
        for number, array in zip(numbers, arrays, strict=True):
            self.pool.add(number, array, *operands, is_exact=is_exact)

    def build(self, inputs: Mapping[int, Any]) -> dict[int, Any]:
        """Apply the operators to a front end's tensors; return all of these by number."""
        tensors = dict(inputs)
        for step in self.steps:
            value = step.call(*(tensors[each] for each in step.operands))
            fields = [value[place] for place in range(len(step.results))] if step.is_tuple else [value]
            tensors.update(zip(step.results, fields, strict=True))
        return tensors

    def outputs(self) -> list[Tensor]:
        """Choose results of the model."""
        computed = [value for value in self.pool.values if value.ref not in self.inputs]
        return list({value.ref: value for value in [*computed[-2:], *self.rng.choices(computed)]}.values())


def unary(plan: Plan, names: Mapping[str, Call]) -> None:
    """Apply a function of elements; `names` has those of the front end."""
    name = plan.rng.choice([name for name in UNARY if name in names])
    function = UNARY[name]
    ranks = range(2, 5) if name == "batch_flatten" else range(5)
    x = plan.pool.pick(ranks=ranks, low=function.low, high=function.high, is_exact=function.has_jumps)
    array = np.asarray(function.function(x.array))
    array = array if array.dtype.kind == "b" else array.astype(x.dtype)
    plan.apply(names[name], [x], array, is_exact=function.is_exact)


def binary(plan: Plan, names: Mapping[str, Call]) -> None:
    """Apply a function of two operands, of which one may be broadcast."""
    name = plan.rng.choice([name for name in BINARY if name in names])
    function = BINARY[name]
    a = plan.pool.pick(function.dtypes, low=-7, high=7, is_exact=function.has_jumps)
    shape = tuple(plan.rng.choice((size, size, 1)) for size in a.shape)[plan.rng.randint(0, a.rank) :]
    if plan.rng.randrange(2):
        shape = a.shape
    b = plan.pool.pick((a.dtype,), shape=shape, low=function.low, high=function.high, is_exact=function.has_jumps)
    array = np.asarray(function.function(a.array, b.array))
    plan.apply(names[name], [a, b], array, is_exact=name in ("add", "subtract", "maximum", "minimum"))


REDUCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min, "prod": np.prod, "variance": np.var,
}  # fmt: skip


def reduction(plan: Plan, names: Mapping[str, Call]) -> None:
    """Reduce over an axis, several or all."""
    name = plan.rng.choice([name for name in REDUCTIONS if name in names])
    x = plan.pool.pick(FLOATS, ranks=range(1, 5), low=-3, high=3)
    count, keepdims = plan.rng.randint(0, x.rank), plan.rng.randrange(2) == 1
    axes = [axis - plan.rng.choice((0, x.rank)) for axis in plan.rng.sample(range(x.rank), count)]
    axis = None if not axes else axes[0] if len(axes) == 1 and plan.rng.randrange(2) else axes
    over = tuple(axes) if axes else None
    array = REDUCTIONS[name](x.array, axis=over, keepdims=keepdims)
    call = names[name]
    plan.apply(lambda t: call(t, axis, keepdims), [x], np.asarray(array, x.dtype), is_exact=name in ("max", "min"))
