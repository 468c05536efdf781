"""Hypothesis strategies of legal schedules and legal pass pipelines.

from hypothesis import given
from tvmscript.fuzz.schedule.transformations import pipelines, schedules

@given(schedules(program))
def test_steps(schedule): ...    # schedule.mod is the result, schedule.trace the steps
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from hypothesis import reject
from hypothesis import strategies as st

from tvmscript.fuzz.passes.programs import BEFORE, BY_AXES, FORMS, LOWERING, Given, given_for
from tvmscript.fuzz.schedule.steps import random_steps
from tvmscript.ir.core import IRError, IRModule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir import PrimFunc
from tvmscript.ir.transform import registry
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.registry import pass_class, pass_modules
from tvmscript.ir.transform.user_passes import USER_PASSES

#: passes whose results cannot be compared: they drop functions, print, or apply to parts of functions
_ALONE = frozenset({"PrintIR", "tir.Filter", "tir.ExtractPrimFuncConstants", "tir.RemapThreadAxis"})
_NAMES = [name for name in sorted(pass_modules()) if name not in _ALONE]
#: limits of the file sizes that weight passes, in bytes
_SHORTEST, _LONGEST = 2500, 15000
#: numeric or optional options of passes
_NUMBERS: Final = {
    "auto_max_depth": (1,),
    "auto_max_extent": (2, 4),
    "auto_max_step": (8, 64),
    "cache_line_size": (8, 128),
    "has_masks": (True, True, False),
    "hoisted_conditionals": (1, 2, 4, 15),
    "hoisted_let_bindings": (1, 2, 4),
    "lwp_max_depth": (1, 2),
    "lwp_min_height": (0, 2),
    "max_lanes": (2, 4),
    "max_simplification_steps": (2, 20),
    "max_statements": (4, 32),
    "split_loop": (0, 2, 4),
    "vtcm_capacity": (1, 64, 300),
}


@st.composite
def schedules(draw: st.DrawFn, program: IRModule | PrimFunc, most: int = 8, only: tuple[str, ...] = ()) -> Schedule:
    """Draw a schedule with up to `most` legal steps of any primitives, or of `only` some.

    `fuzz.schedule.steps.KEEP_VALUES` are the primitives that keep values.
    """
    schedule = Schedule(program, seed=1)
    random_steps(schedule, lambda count: draw(st.integers(0, count - 1)), draw(st.integers(0, most)), only)
    return schedule


@st.composite
def pipelines(draw: st.DrawFn, first: Form = Form.BLOCKS, most: int = 3, only: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Draw names of passes in a legal order for programs of a form: lowering up to some form, with up to
    `most` other passes in each form, any or some. `fuzz.passes.programs.make(name)` makes each.
    """
    start = FORMS.index(first)
    names: list[str] = []
    for place in range(start, draw(st.integers(start, FORMS.index(Form.FLAT))) + 1):
        if place > start:
            names += [name for name in LOWERING[FORMS[place]].split(",") if name in pass_modules()]
        others = [name for name in _taking(place) if not only or name in only]
        names += draw(st.lists(st.sampled_from(others), max_size=most)) if others else []
    return tuple(names)


def pass_text(name: str, pick: Callable[[int], int]) -> str:
    """Draw options of a pass, as text; `pick(n)` draws a number below n."""
    options: dict[str, Any] = {}
    for each in fields(pass_class(name)):
        choices = (not each.default,) if isinstance(each.default, bool) else _NUMBERS.get(each.name, ())
        if choices and pick(4) == 3:
            options[each.name] = choices[pick(len(choices))]
    return f"{name}{{{', '.join(f'{key}={value}' for key, value in options.items())}}}" if options else name


@st.composite
def pass_texts(draw: st.DrawFn, name: str) -> str:
    """Draw a pass with options, as text: `tir.UnrollLoop{auto_max_step=16}`."""
    return pass_text(name, lambda count: draw(st.integers(0, count - 1)))


@st.composite
def sources(draw: st.DrawFn) -> random.Random:
    """Draw a random generator that does not shrink.

    Hypothesis would repeat half of the draws of `st.randoms` and of wide integers.
    """
    return random.Random(draw(st.binary(min_size=8, max_size=8)))


@functools.cache
def _lengths() -> list[int]:
    """The clamped file sizes of passes."""
    folder = Path(registry.__file__).parents[2]
    modules = [pass_modules()[name].split(".")[1:] for name in _NAMES]
    sizes = [folder.joinpath(*module).with_suffix(".py").stat().st_size for module in modules]
    return [min(max(size, _SHORTEST), _LONGEST) for size in sizes]


def pass_and_given(source: random.Random, only: tuple[str, ...] = ()) -> tuple[str, Given]:
    """Draw a pass as text, and a program for it. Passes are weighted by length."""
    name = source.choice(only) if only else source.choices(_NAMES, _lengths())[0]
    given = given_for(name, source.randrange(1 << 20))
    return name + given.options if given.options else pass_text(name, source.randrange), given


@st.composite
def passes_with_programs(draw: st.DrawFn, only: tuple[str, ...] = ()) -> tuple[str, str]:
    """Draw a pass as text, and the text of a program of a form that it accepts."""
    name, given = pass_and_given(draw(sources()), only)
    try:
        return name, given.module().script()
    except IRError:
        reject()  # a preparatory pass refuses it


def _taking(place: int) -> list[str]:
    """The passes that accept a form without preparation."""
    # without axes blocks are of the next form
    others = _ALONE | ({"tir.ConvertBlocksToOpaque"} if FORMS[place] is Form.BLOCKS else BY_AXES)
    return [
        name
        for name in sorted({*pass_modules(), *USER_PASSES})
        if FORMS.index(pass_class(name).takes) <= place and not BEFORE.get(name) and name not in others
    ]


__all__ = ["pass_texts", "passes_with_programs", "pipelines", "schedules"]
