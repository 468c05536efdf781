"""Pipelines of passes in any legal order: well formed, reads back, the same values, the input as it was."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from tvmscript.ir.core.equal import first_difference
from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.registry import FILES
from tvmscript.parser import from_source
from tvmscript.testing.fuzzing.area import Area, Subjects
from tvmscript.testing.fuzzing.scripts import as_literal
from tvmscript.testing.kernels import kernel_texts
from tvmscript.testing.pass_values import SameValues
from tvmscript.testing.programs.blocks import random_blocks
from tvmscript.testing.programs.features import random_features
from tvmscript.testing.programs.for_passes import WITHOUT_BARRIERS, as_module, bound, make
from tvmscript.testing.programs.loops import random_program
from tvmscript.testing.programs.pipelines import pipeline
from tvmscript.testing.staged import staged_program
from tvmscript.testing.transformations import passes_with_programs, pipelines
from tvmscript.testing.verify import RoundTrips, WellFormed


class PassLawBroken(TVMScriptError):
    """A pass that changed what it was given, or that changes what it made when it says that it would not."""

    code = "TS8049"
    message = "the pass {name} {what}: {reason}"


@dataclass(frozen=True)
class Pipeline:
    """A program and the passes that run on it, one after the other; some programs are bound to a target first."""

    text: str
    #: a pass with options as text has them
    names: tuple[str, ...]
    is_bound: bool = False
    #: whether threads read what others wrote: what is computed without barriers depends on their order
    shares: bool = False


@st.composite
def examples(draw: st.DrawFn, only: tuple[str, ...] = ()) -> Pipeline:
    """A pass and a program for it; or a program of blocks or loops, and the way down, with other passes in between that
    take what there is. The passes are any, or some.
    """
    if draw(st.booleans()) or (only and draw(st.booleans())):
        each, made = draw(passes_with_programs(only))
        return Pipeline(made, (each,))
    rng = draw(st.randoms(use_true_random=False))
    kind = draw(
        st.sampled_from(
            ("kinds", "kinds", "kinds", "kinds", "staged", "blocks", "threads", "pipeline", "loops", "features")
        )
    )
    first = Form.LOOPS if kind in ("loops", "features") else Form.BLOCKS
    text = {
        "kinds": lambda: draw(kernel_texts()),
        "staged": lambda: staged_program(lambda count: draw(st.integers(0, count - 1))),
        "blocks": lambda: random_blocks(rng, False),
        "threads": lambda: random_blocks(rng, True, shares=False),
        "pipeline": lambda: pipeline(rng),
        "loops": lambda: random_program(rng),
        "features": lambda: random_features(rng),
    }[kind]()
    names = draw(pipelines(first, only=only))
    is_bound = draw(st.booleans())
    return Pipeline(text, names, is_bound, kind == "pipeline")


def check(example: Pipeline) -> None:
    """Raises what is wrong; what a pass refuses ends the pipeline."""
    mod = as_module(from_source(example.text))
    if example.is_bound:
        mod = bound(mod)
    values = SameValues()
    waits = WITHOUT_BARRIERS.isdisjoint(name.partition("{")[0] for name in example.names)
    has_order = not example.shares and (waits or "thread" not in example.text)
    with redirect_stdout(io.StringIO()):
        for name in example.names:
            made = _run(name, mod, values if has_order else None)
            if made is None:
                return
            mod = made


def _run(name: str, mod: IRModule, values: SameValues | None) -> IRModule | None:
    """What a pass makes; None where it refuses the program."""
    each = make(name)
    text = mod.script()
    try:
        with PassContext(instruments=[WellFormed(), RoundTrips(), *([values] if values else [])]):
            made: IRModule = each(mod)
    except IRError:
        return None
    finally:
        if mod.script() != text:
            raise PassLawBroken(name=name, what="changed its input", reason=text)
    if each.is_idempotent and "{" not in name:  # other options may make another pass
        found = first_difference(made, each(made), map_free_vars=True)
        if found is not None:
            raise PassLawBroken(name=name, what=f"changes {found.path} in a second run", reason=found.reason)
    return made


def write(example: Pipeline) -> str:
    """The program as text."""
    rest = f"{example.names!r}, {example.is_bound}, {example.shares}"
    return (
        "from tvmscript.testing.fuzzing.passes import Pipeline, check\n\n"
        f"PROGRAM = {as_literal(example.text)}\n\ncheck(Pipeline(PROGRAM, {rest}))\n"
    )


AREA: Final = Area(
    "passes",
    "passes in any legal order keep the values",
    examples,
    check,
    write,
    batch=20,
    subjects=Subjects("pass", lambda: FILES, examples),
)
