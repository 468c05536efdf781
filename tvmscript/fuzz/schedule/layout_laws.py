"""Layouts of parameters: a transformed kernel computes the same elements at other places, and writes the padding.

Values of kernels with other parameters are not compared after a step, so that layouts of parameters need a law.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tvmscript.backends import interp
from tvmscript.fuzz.programs.stages import Pick
from tvmscript.fuzz.schedule.accepted_steps import BESIDE, CHAIN, PRODUCT, WINDOWS, sized
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import IntImm, PrimFunc
from tvmscript.parser import from_source
from tvmscript.testing.schedule_values import ValuesChanged

#: the padding, a value that the kernels compute nowhere
_PADDING: Final = 1000.0
Index = tuple[int, ...]
_MAPS: Final[tuple[Callable[..., Any], ...]] = (
    lambda *axes: axes[::-1],
    lambda *axes: (*axes[:-1], axes[-1] // 4, axes[-1] % 4),
    lambda *axes: (axes[-1] % 3, *axes[:-1], axes[-1] // 3),
    lambda *axes: (axes[0] // 2, *axes[1:], axes[0] % 2),
)
#: program, block, side and index of a parameter, its position
_PLACES: Final[tuple[tuple[str, str, str, int, int], ...]] = (
    (CHAIN, "B", "read", 0, 0),
    (CHAIN, "C", "write", 0, 1),
    (BESIDE, "D", "write", 0, 1),
    (BESIDE, "C", "read", 0, 0),
    (WINDOWS, "C", "write", 0, 1),
    (PRODUCT, "C", "read", 0, 0),
    (PRODUCT, "C", "read", 1, 1),
    (PRODUCT, "C", "write", 0, 2),
)


@dataclass(frozen=True)
class LayoutStep:
    """A parameter of a kernel, and its new layout."""

    block: str
    side: str
    index: int
    #: among the parameters; the last one is written
    place: int
    index_map: Callable[..., Any]


def drawn_layout(pick: Pick) -> tuple[Schedule, LayoutStep]:
    """Draw a kernel, with a loop split or not, and a layout of a parameter."""
    program, block, side, index, place = _PLACES[pick(len(_PLACES))]
    schedule = Schedule(from_source(sized(program, pick)), seed=1)
    if pick(2):
        loops = schedule.get_loops(block)
        schedule.split(loops[pick(len(loops))], [None, 2 + pick(3)])
    return schedule, LayoutStep(block, side, index, place, _MAPS[pick(len(_MAPS))])


def compare_layouts(schedule: Schedule, step: LayoutStep) -> None:
    """Change the layout, and compare the kernels before and after. Raises `ValuesChanged`."""
    place, index_map = step.place, step.index_map
    before = schedule.mod["main"]
    schedule.transform_layout(step.block, (step.side, step.index), index_map, pad_value=_PADDING)
    after = schedule.mod["main"]
    assert isinstance(before, PrimFunc)
    assert isinstance(after, PrimFunc)
    rng = np.random.default_rng(0)
    values = [rng.integers(-4, 5, _shape(before, number)).astype("float32") for number in range(len(before.params))]
    moved = [value.copy() for value in values]
    moved[place] = np.full(_shape(after, place), _PADDING, "float32")
    targets = [_target(index_map, source) for source in np.ndindex(values[place].shape)]
    for source, target in zip(np.ndindex(values[place].shape), targets, strict=True):
        moved[place][target] = values[place][source]
    is_written = place == len(values) - 1
    if is_written:
        moved[place][:] = -_PADDING
    interp.build(before)["main"](*values)
    interp.build(after)["main"](*moved)
    expected = np.full(moved[place].shape, _PADDING, "float32")
    for source, target in zip(np.ndindex(values[place].shape), targets, strict=True):
        expected[target] = values[place][source]
    wanted = [*values[:place], expected, *values[place + 1 :]]
    for param, one, other in zip(before.params, wanted, moved, strict=True):
        differing = np.argwhere(one != other)
        if len(differing):
            index = tuple(map(int, differing[0]))
            raise ValuesChanged(
                primitive="transform_layout",
                function="main",
                buffer=param.name,
                index=index,
                before=float(one[index]),
                after=float(other[index]),
            )


def _shape(func: PrimFunc, place: int) -> Index:
    shape = func.buffer_map[func.params[place]].shape
    return tuple(extent.value for extent in shape if isinstance(extent, IntImm))


def _target(index_map: Callable[..., Any], source: Index) -> Index:
    target: Index = tuple(index_map(*source))
    return target
