"""Fuzz pipelines of passes: results are well-formed, read back, keep the values; inputs stay unchanged."""

from __future__ import annotations

import io
import random
from contextlib import redirect_stdout
from dataclasses import dataclass, fields
from typing import Final

from hypothesis import strategies as st

from tvmscript.backends.runtime.random_inputs import DEFAULT_EXTENT
from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.passes.laws import broken_law
from tvmscript.fuzz.passes.outcomes import OUTCOMES
from tvmscript.fuzz.passes.programs import OF_PARAMETERS, WITHOUT_BARRIERS, Given, make
from tvmscript.fuzz.passes.specialize_law import check_specialized
from tvmscript.fuzz.passes.writers import Outcome
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.pipelines import pipeline
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.fuzz.schedule.transformations import pass_and_given, pipelines, sources
from tvmscript.fuzz.scripts import as_literal
from tvmscript.ir.core import IRError, IRModule, TVMScriptError
from tvmscript.ir.core.equality.equal import first_difference
from tvmscript.ir.tir import Var
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.pass_text import read_passes
from tvmscript.ir.transform.registry import pass_modules
from tvmscript.ir.transform.user_passes import USER_PASSES
from tvmscript.testing.kernels import EXTENTS, kernel_texts
from tvmscript.testing.round_trip import check_round_trip
from tvmscript.testing.same_values import SameValues, public_kernels
from tvmscript.testing.verify import WellFormed


class PassLawBroken(TVMScriptError, code="TS8049"):
    """A pass modified its input, is not idempotent as claimed, or violates its specification."""

    message = "the pass {name} {what}: {reason}"


@dataclass(frozen=True)
class Pipeline:
    """A program and a sequence of passes."""

    text: str
    #: passes with options, as text
    names: tuple[str, ...]
    #: whether the program is bound to a target first
    is_bound: bool = False
    #: whether threads share data, so that results without barriers depend on their order
    shares: bool = False
    #: preparatory passes, which are not checked
    before: str = ""
    #: the required outcome of the first pass
    outcome: Outcome = ""
    #: the seed of the arguments and symbolic sizes
    seed: int = 0


@st.composite
def examples(draw: st.DrawFn, only: tuple[str, ...] = ()) -> Pipeline:
    """Draw a pass and a program for it; or a program of blocks or loops and its lowering, interleaved with other
    applicable passes. `only` restricts the passes.
    """
    source = draw(sources())
    seed = source.randrange(32)
    if not only and source.randrange(16) == 0:
        return Pipeline(draw(kernel_texts()), (), seed=seed)  # for laws about functions
    # no programs are written for the passes of users: most of theirs are kernels of every kind
    is_of_users = bool(only) and USER_PASSES.keys() >= {*only}
    if source.randrange(4) == 0 if is_of_users else source.randrange(30):
        # Hypothesis makes five more of each of the others, by changes
        each, made = pass_and_given(source, only)
        outcome: Outcome = made.outcome if made.options or "{" not in each else ""
        return Pipeline(made.text, (each,), made.is_bound, False, made.before, outcome, seed)
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
    return Pipeline(text, names, is_bound, kind == "pipeline", seed=seed)


def check(example: Pipeline) -> None:
    """Check an example. Raises the error of the law that is broken."""
    try:
        mod = Given(example.text, example.is_bound, example.before).module()
    except IRError:
        return  # a preparatory pass refuses it
    if not example.names:
        for func in public_kernels(mod).values():
            check_specialized(func, example.seed, _sizes(mod, example.seed))
    waits = WITHOUT_BARRIERS.isdisjoint(name.partition("{")[0] for name in example.names)
    has_order = not example.shares and (waits or "thread" not in example.text)
    has_order &= not any(word in example.text for word in OF_PARAMETERS)
    with redirect_stdout(io.StringIO()):
        _Run(mod, has_order, example.seed).passes(example.names, example.outcome)


class _Run:
    """The state of a running pipeline."""

    def __init__(self, mod: IRModule, has_order: bool, seed: int) -> None:
        self.mod = mod
        #: whether to check texts, which doubles the time
        self.prints = seed % 4 == 0
        #: (input of a pass, its text, the passes that ran on it)
        self.given: list[tuple[IRModule, str, list[str]]] = [(mod, self.text(mod), [])]
        self.checks = [WellFormed(), *([SameValues(seed, _sizes(mod, seed))] if has_order else [])]

    def text(self, mod: IRModule) -> str:
        """The text of a module if texts are checked."""
        return str(mod) if self.prints else ""

    def passes(self, names: tuple[str, ...], outcome: Outcome) -> None:
        """Run passes until one refuses its input."""
        for number, name in enumerate(names):
            output = self.made(name, "" if number else outcome)
            if output is None:
                break
            if output is not self.mod:
                self.mod = output
                self.given.append((output, self.text(output), []))
        for mod, text, ran in self.given:
            if self.text(mod) != text:
                raise PassLawBroken(name=", ".join(ran), what="changed its input", reason=text)

    def made(self, name: str, outcome: Outcome) -> IRModule | None:
        """Run and check a pass; None if it refuses the program."""
        each, mod = make(name), self.mod
        self.given[-1][2].append(name)
        try:
            with PassContext(instruments=self.checks):
                output: IRModule = each(mod)
        except IRError as error:
            if outcome in ("taken", "changed"):
                raise PassLawBroken(name=name, what="refuses a program made for it", reason=error.text) from error
            return None
        if outcome == "refused":
            raise PassLawBroken(name=name, what="takes a program that is wrong", reason="it was made to be refused")
        broken = broken_law(each, mod, output)
        if broken is not None:
            raise PassLawBroken(name=name, what="does what it must not", reason=broken)
        if output is mod:
            if outcome == "changed":
                raise PassLawBroken(name=name, what="does nothing", reason="the program was made for it")
            return output
        if self.prints:
            check_round_trip(output, f"what the pass {name} made")
        if each.is_idempotent and "{" not in name:  # other options may make another pass
            difference_again = first_difference(output, each(output), map_free_vars=True)
            if difference_again is not None:
                raise PassLawBroken(
                    name=name, what=f"changes {difference_again.path} in a second run", reason=difference_again.reason
                )
        return output


def _sizes(mod: IRModule, seed: int) -> dict[str, int]:
    """Draw sizes for the symbolic extents in the signatures of a module; the default for seed 0."""
    buffers = [buffer for func in public_kernels(mod).values() for buffer in func.buffer_map.values()]
    names = sorted({each.name for buffer in buffers for each in buffer.shape if isinstance(each, Var)})
    rng = random.Random(seed)
    return {name: rng.choice(EXTENTS) if seed else DEFAULT_EXTENT for name in names}


def write(example: Pipeline) -> str:
    """The program as text."""
    rest = ", ".join(repr(getattr(example, each.name)) for each in fields(Pipeline)[1:])
    passes = [each.name for name in example.names for each in read_passes(name)]
    sources = sorted({USER_PASSES[name] for name in passes if name in USER_PASSES})
    imported = "".join(f"import_passes({source!r})\n" for source in sources)
    return (
        "from tvmscript.fuzz.passes.area import Pipeline, check\n"
        + ("from tvmscript.ir.transform.user_passes import import_passes\n\n" + imported if sources else "")
        + f"\nPROGRAM = {as_literal(example.text)}\n\ncheck(Pipeline(PROGRAM, {rest}))\n"
    )


AREA: Final = Area(
    "passes",
    "passes in any legal order keep the values",
    examples,
    check,
    write,
    batch=50,
    subjects=Subjects("pass", lambda: {**pass_modules(), **USER_PASSES}, examples),
    outcomes=OUTCOMES,
)
