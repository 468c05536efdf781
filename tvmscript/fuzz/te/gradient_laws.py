"""Fuzz `te.gradient`: gradients of polynomials are their differences.

Elements are polynomials of degree two at most in the elements of each input, with small integers. A central difference
of such a polynomial is its derivative, without an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tvmscript import driver
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.observing import observe
from tvmscript.fuzz.programs.stages import Pick
from tvmscript.ir.core import IRModule
from tvmscript.ir.te.construct import compute, placeholder, reduce_axis
from tvmscript.ir.te.gradient import gradient
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.reduction import sum as sum_over
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, FloorDiv, FloorMod, IterVar, Select, Var, const

_DTYPE: Final = "float64"
Array = npt.NDArray[np.float64]
Values = Sequence[Array]


@dataclass(frozen=True)
class Polynomial:
    """The choices that a tensor expression is drawn from, and the seed of its inputs."""

    numbers: tuple[int, ...]
    seed: int = 0

    def tensors(self) -> tuple[list[Tensor], Tensor]:
        """Return two inputs and the output."""
        rest = iter(self.numbers)

        def pick(count: int) -> int:
            return next(rest, 0) % count

        shape = [1 + pick(4) for _ in range(1 + pick(2))]
        extents = [1 + pick(3) for _ in range(pick(3))]
        ranks = [1 + pick(2), 1 + pick(2)]
        forms = [[_Index.drawn(pick, shape, extents) for _ in range(rank)] for rank in (*ranks, *ranks)]
        sizes = [
            [max(one.last, other.last) + 1 + pick(2) for one, other in zip(forms[place], forms[place + 2], strict=True)]
            for place in range(2)
        ]
        inputs = [placeholder(size, _DTYPE, name) for size, name in zip(sizes, "AB", strict=True)]
        axes = [reduce_axis((0, extent), f"r{place}") for place, extent in enumerate(extents)]
        kind, limit = pick(7), pick(3)

        def element(*variables: Var) -> Expr:
            loops = [*variables, *(axis.var for axis in axes)]
            a, b, other_a, other_b = (
                inputs[place % 2][tuple(index.at(loops) for index in form)] for place, form in enumerate(forms)
            )
            values: list[Expr] = [
                a * b,
                a * other_a - b,
                a - b * other_b * const(2, _DTYPE),
                Select(loops[0] > limit, a * b, other_b),
                (a + b) * (other_a + const(3, _DTYPE)),
                const(2, _DTYPE) * a,
                a + other_a - b * b,
            ]
            return sum_over(values[kind], axes) if axes else values[kind]

        output = compute(shape, element, "C")
        if pick(2):
            whole = output
            rank, rows, columns = len(shape), shape[0], shape[-1]

            def row(index: Var) -> Expr:
                ends = [(0, columns - 1 - index), (rows - 1, index)]
                first, last = (whole[end[2 - rank :]] for end in ends)
                total: Expr = first + last
                return total

            output = compute([columns], row, "D")
        return inputs, output


@dataclass(frozen=True)
class _Index:
    """Factors of loops, and what is added so that it begins at 0; or its quotient or remainder by two or three."""

    factors: tuple[int, ...]
    first: int
    last: int
    divisor: int = 1
    is_remainder: bool = False

    @staticmethod
    def drawn(pick: Pick, shape: Sequence[int], extents: Sequence[int]) -> _Index:
        factors = tuple((1, 0, 1, 2, 0, -1)[pick(6)] for _ in (*shape, *extents))
        ends = [factor * (extent - 1) for factor, extent in zip(factors, (*shape, *extents), strict=True)]
        first = pick(2) - sum(end for end in ends if end < 0)
        last = first + sum(end for end in ends if end > 0)
        divisor, is_remainder = (1, 1, 1, 2, 3)[pick(5)], pick(2) == 1
        if divisor > 1:
            last = min(last, divisor - 1) if is_remainder else last // divisor
        return _Index(factors, first, last, divisor, is_remainder)

    def at(self, loops: Sequence[IterVar | Var]) -> Expr:
        total: Expr = const(self.first, "int32")
        for factor, loop in zip(self.factors, loops, strict=True):
            if factor:
                total = total + (loop if factor == 1 else loop * factor)
        if self.divisor > 1:
            return (FloorMod if self.is_remainder else FloorDiv)(total, const(self.divisor, "int32"))
        return total


def check_gradient(example: Polynomial) -> None:
    """Compare gradients along a direction with differences of the output. Raises `LevelsDisagree`."""
    inputs, output = example.tensors()
    rng = np.random.default_rng(example.seed)
    arrays, directions = ([_numbers(rng, each) for each in inputs] for _ in range(2))
    head = placeholder(output.shape, _DTYPE, "head")
    weights = _numbers(rng, head)
    for place, (array, direction, actual) in enumerate(
        zip(arrays, directions, gradient(output, inputs, head), strict=True)
    ):
        ends = [
            _run([*inputs, output], [*arrays[:place], array + sign * direction, *arrays[place + 1 :]])
            for sign in (1, -1)
        ]
        expected = ((ends[0] - ends[1]) * weights).sum() / 2
        along = (_run([*inputs, head, actual], [*arrays, weights]) * direction).sum()
        if expected != along:
            raise LevelsDisagree(
                name="the gradient", other="a difference", buffer=inputs[place].name, index=[], before=expected,
                after=along,
            )  # fmt: skip


def _shape(tensor: Tensor) -> list[int]:
    return [int(str(extent)) for extent in tensor.shape]


def _numbers(rng: np.random.Generator, tensor: Tensor) -> Array:
    return rng.integers(-3, 4, _shape(tensor)).astype(_DTYPE)


def _run(tensors: Sequence[Tensor], values: Values) -> Array:
    """Return the last of the tensors, computed from the values of the others."""
    result = np.full(_shape(tensors[-1]), 77777.0)
    module = IRModule.from_expr(create_prim_func(list(tensors)).with_attr("global_symbol", "main"))
    observe("gradient", module.script)
    driver.build(module, "interp")["main"](*values, result)
    return result
