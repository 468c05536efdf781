"""What is done to programs: legal schedules and legal pipelines of passes, as Hypothesis strategies.

from hypothesis import given
from tvmscript.testing.transformations import pipelines, schedules

@given(schedules(program))
def test_steps(schedule): ...    # schedule.mod is the result, schedule.trace says how it was made
"""

from __future__ import annotations

from hypothesis import strategies as st

from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.registry import FILES, pass_class
from tvmscript.testing.programs.for_passes import BEFORE, FORMS, LOWERING
from tvmscript.testing.schedules import random_steps

#: passes after which nothing can be compared: they leave functions out, print, or are about parts of functions
_ALONE = frozenset({"PrintIR", "tir.Filter", "tir.ExtractPrimFuncConstants", "tir.RemapThreadAxis"})


@st.composite
def schedules(draw: st.DrawFn, program: IRModule | PrimFunc, most: int = 8, only: tuple[str, ...] = ()) -> Schedule:
    """A schedule of a program after up to `most` legal steps, of any primitives or of some.

    `testing.schedules.KEEP_VALUES` are the primitives after which the program always computes the same.
    """
    schedule = Schedule(program, seed=1)
    random_steps(schedule, lambda count: draw(st.integers(0, count - 1)), draw(st.integers(0, most)), only)
    return schedule


@st.composite
def pipelines(draw: st.DrawFn, first: Form = Form.BLOCKS, most: int = 3) -> tuple[str, ...]:
    """Names of passes in a legal order for programs of a form: the way down to flat loops or a part of it, with up to
    `most` other passes in each form. `testing.programs.for_passes.make(name)` makes each.
    """
    start = FORMS.index(first)
    names: list[str] = []
    for place in range(start, draw(st.integers(start, FORMS.index(Form.FLAT))) + 1):
        if place > start:
            names += [name for name in LOWERING[FORMS[place]].split(",") if name in FILES]
        names += draw(st.lists(st.sampled_from(_taking(place)), max_size=most))
    return tuple(names)


def _taking(place: int) -> list[str]:
    """The passes that take a form, and need nothing before them."""
    return [
        name
        for name in sorted(FILES)
        if FORMS.index(pass_class(name).takes) <= place and not BEFORE.get(name) and name not in _ALONE
    ]


__all__ = ["pipelines", "schedules"]
