"""Compare tensor expressions, as functions of blocks and under classic schedules, with NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript import driver
from tvmscript.backends.runtime.errors import DivisionByZero
from tvmscript.fuzz.area import Area
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.observing import observe, observe_error
from tvmscript.fuzz.te.gradient_laws import Polynomial, check_gradient
from tvmscript.fuzz.te.topi_laws import FAMILIES, Operators, check_operators
from tvmscript.ir.core import IRModule
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.schedule.schedule import create_schedule
from tvmscript.ir.transform.errors import CannotDoubleBuffer, CannotUnroll, CannotVectorize, VirtualThreadsUnknown
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.tensor_strategies import Step, TensorGraph, apply_steps, classic_steps, tensor_graphs
from tvmscript.testing.verify import verify


@dataclass(frozen=True)
class Example:
    """A graph, steps of its classic schedule, and the seed of its inputs."""

    graph: TensorGraph
    steps: tuple[Step, ...] = ()
    seed: int = 0


#: stages do not nest, a double buffer has no loop around it, an annotated loop has a symbolic extent
_REFUSALS: Final = (InvalidSchedule, CannotDoubleBuffer, CannotUnroll, CannotVectorize, VirtualThreadsUnknown)


#: choices of a polynomial
_CHOICES: Final = 50
#: of how many modules the text of one is read back: other areas look for faults of texts
_ROUND_TRIPS: Final = 4


def examples() -> st.SearchStrategy[Example | Polynomial | Operators]:
    """Draw graphs and steps, and sometimes polynomials to differentiate, or operators that no graph has."""
    seeds = st.integers(0, 2**32 - 1)
    graphs = st.builds(Example, tensor_graphs(), classic_steps(), seeds)
    numbers = st.lists(st.integers(0, 59), min_size=_CHOICES, max_size=_CHOICES).map(tuple)
    operators = st.builds(Operators, st.sampled_from([*FAMILIES]), numbers, seeds)
    return st.one_of(graphs, graphs, graphs, graphs, graphs, st.builds(Polynomial, numbers, seeds), operators)


def check(example: Example | Polynomial | Operators) -> None:
    """Raises `LevelsDisagree`; propagates other errors than refusals of the schedule."""
    if isinstance(example, Operators):
        check_operators(example)
        return
    if isinstance(example, Polynomial):
        check_gradient(example)
        return
    inputs, outputs = example.graph.tensors()
    if all(definition.kind != "running_sum" for definition in example.graph.definitions):
        # a function of blocks has no recurrences
        module = IRModule.from_expr(create_prim_func([*inputs, *outputs]).with_attr("global_symbol", "main"))
        _check_module("create_prim_func", module, example)
    schedule = create_schedule([tensor.op for tensor in outputs])
    has_empty = 0 in example.graph.sizes.values()
    apply_steps(schedule, example.steps, has_empty=has_empty)
    try:
        lowered = driver.lower(schedule, [*inputs, *outputs], simple_mode=True)
    except _REFUSALS as error:
        observe_error(error)
        return
    try:
        _check_module("the schedule", lowered, example)
    except DivisionByZero:
        # a cache of parts is as long as a quotient by their size says, as in TVM: parts of nothing have the size 0
        if not has_empty:
            raise


def _check_module(name: str, module: IRModule, example: Example) -> None:
    """Check the form, the text and the values of a function."""
    observe(name.replace(" ", "_"), module.script)
    verify(module)
    if example.seed % _ROUND_TRIPS == 0:
        check_round_trip(module, name)
    inputs, expected = example.graph.arrays(example.seed)
    # memory that is not written differs from each right value
    results: list[Any] = [np.full(array.shape, 77777, array.dtype) for array in expected]
    driver.build(module, "interp")["main"](*inputs, *results)
    for place, (before, after) in enumerate(zip(expected, results, strict=True)):
        for index in np.argwhere(np.asarray(before != after))[:1]:
            at = tuple(index)
            raise LevelsDisagree(
                name=name, other="NumPy", buffer=f"output {place}", index=[*map(int, at)], before=before[at],
                after=after[at],
            )  # fmt: skip


def write(example: Example | Polynomial | Operators) -> str:
    """Write the example as an expression."""
    if isinstance(example, Operators):
        return f"from tvmscript.fuzz.te.topi_laws import Operators, check_operators\n\ncheck_operators({example!r})\n"
    if isinstance(example, Polynomial):
        return (
            f"from tvmscript.fuzz.te.gradient_laws import Polynomial, check_gradient\n\ncheck_gradient({example!r})\n"
        )
    return (
        "from tvmscript.fuzz.te.area import Example, check\n"
        "from tvmscript.testing.tensor_strategies import Definition, Step, TensorGraph\n\n"
        f"check({example!r})\n"
    )


AREA: Final = Area(
    "te", "tensor expressions and classic schedules compute what NumPy does", examples, check, write, batch=20
)
