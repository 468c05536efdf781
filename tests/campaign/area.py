"""Compare LLVM, the interpreter and `python_code` on random programs after random schedule steps and passes."""

from __future__ import annotations

import io
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field, fields
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tests.campaign.python_code import NotInPython, PythonCode, Undefined
from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.errors import Unsupported, UnsupportedDType
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.area import Area
from tvmscript.fuzz.passes.programs import ARGUMENTS, make
from tvmscript.fuzz.programs import expressions, memory, nested_blocks, nests, vectors
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.dependent_blocks import dependent_program
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.fuzz.schedule.area import reduces_nothing
from tvmscript.fuzz.schedule.steps import KEEP_VALUES, random_steps
from tvmscript.fuzz.schedule.transformations import pipelines
from tvmscript.fuzz.scripts import as_literal
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.core import nodes
from tvmscript.ir.core.errors import IRError, TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.schedule.schedule import Schedule
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import Add, BufferLoad, Mul, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Block, BufferStore
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.parser import from_source
from tvmscript.testing.kernels import kernel_texts, sizes_for
from tvmscript.testing.schedule_values import difference

#: kernels of more iterations are not run
_MOST: Final = 1 << 14
#: most schedule steps of a program
_MOST_STEPS: Final = 8
#: primitives that keep values; no CPU has the threads that `bind` makes
STEPS: Final = tuple(name for name in KEEP_VALUES if name != "bind")
#: passes after which a program has other arguments, or is for a device
_LEFT_OUT: Final = frozenset({"tir.BindTarget", "tir.MakeUnpackedAPI", "tir.RemapThreadAxis", "tir.AnnotateEntryFunc"})

#: writers of programs of blocks, and of loops
BLOCKS: Final[Mapping[str, Callable[[random.Random], str]]] = {
    "blocks": lambda rng: random_blocks(rng, False, shares=False),
    "sums": nested_blocks.sums,
    "blocks in blocks": nested_blocks.blocks_in_blocks,
    "matched regions": nested_blocks.matched_regions,
    "windows": nested_blocks.windows,
}
LOOPS: Final[Mapping[str, Callable[[random.Random], str]]] = {
    "loops": random_program,
    "features": random_features,
    "vectors": vectors.vectorized_loops,
    "masked": vectors.masked_loops,
    "likely": nests.likely_loops,
    "unrolled": nests.unrolled_loops,
    "parallel": nests.parallel_loops,
    "invariant": nests.invariant_conditions,
    "virtual threads": nests.virtual_threads,
    "double buffers": nests.double_buffers,
    "layouts": memory.layouts,
    "allocations": memory.chain_of_allocations,
    "in place": memory.in_place,
    "divisions": expressions.divisions,
    "computed twice": expressions.computed_twice,
    "selects": expressions.selects,
    "idle": expressions.idle,
    "split patterns": expressions.split_patterns,
}


class Differs(TVMScriptError):
    """An implementation computes something else than the Python text of the program."""

    message = "{way} computes something else than Python: {buffer}{index} is {after} and not {before}"


@dataclass
class Example:
    """A program, the choices of its schedule steps, and passes."""

    text: str
    #: names of passes
    passes: tuple[str, ...]
    level: int
    seed: int
    #: values of symbolic extents
    sizes: Mapping[str, int]
    steps: int
    #: the choices of the steps that were drawn already
    picks: Sequence[int] = ()
    draw: Callable[[int], int] = field(default=lambda _: 0)
    made: list[int] = field(default_factory=list[int])

    def pick(self, count: int) -> int:
        """Draw and record a choice."""
        place = len(self.made)
        self.made.append(min(self.picks[place], count - 1) if place < len(self.picks) else self.draw(count))
        return self.made[-1]


#: what was done
COUNTS: Counter[str] = Counter()


@st.composite
def examples(draw: st.DrawFn) -> Example:
    """Draw a program of any kind, a number of steps, and passes in a legal order."""
    rng = draw(st.randoms(use_true_random=False))
    kind = draw(st.sampled_from(("kinds", "staged", "dependent", "kinds", "staged", "dependent", "blocks", "loops")))
    first = Form.BLOCKS
    if kind == "kinds":
        text = draw(kernel_texts())
    elif kind in ("staged", "dependent"):
        write_program = staged_program if kind == "staged" else dependent_program
        text = write_program(lambda count: draw(st.integers(0, count - 1)))
    else:
        writers = BLOCKS if kind == "blocks" else LOOPS
        text = writers[draw(st.sampled_from(sorted(writers)))](rng)
        first = Form.BLOCKS if kind == "blocks" else Form.LOOPS
    names = tuple(name for name in draw(pipelines(first)) if name not in _LEFT_OUT)
    sizes = draw(sizes_for(from_source(text)))
    level, seed = draw(st.sampled_from((3, 2, 1, 0))), draw(st.integers(0, 31))
    steps = draw(st.integers(0, _MOST_STEPS)) if first is Form.BLOCKS else 0
    data = draw(st.data())
    return Example(text, names, level, seed, sizes, steps, draw=lambda count: data.draw(st.integers(0, count - 1)))


def check(example: Example) -> None:
    """Check an example. Raises `Differs`."""
    COUNTS["programs"] += 1
    program: PrimFunc = from_source(example.text)
    if iterations_of(program) > _MOST:
        COUNTS["not run: many iterations"] += 1
        return
    if reduces_nothing(program, example.sizes):
        # `build` runs the init of an empty reduction, TVM's lowering does not
        COUNTS["not run: a reduction is empty"] += 1
        return
    try:
        code = PythonCode(program)
        expected = _arguments(program, example)
        code.run(expected)
    except (NotInPython, Undefined) as error:
        COUNTS[f"not run: {type(error).__name__}: {error}"] += 1
        return
    example.made.clear()
    schedule = Schedule(program, seed=1, debug_mask="all")
    # the layout of an argument changes the signature
    names = STEPS if example.seed % 4 == 3 else tuple(name for name in STEPS if name != "transform_layout")
    # schedules take the steps of a reduction in any order, and copies of a buffer have strides and offsets of their own
    is_scheduled = not (reduces_in_order(program) or stores_layout(program))
    most = example.steps if is_scheduled else 0
    steps = random_steps(schedule, example.pick, most, names)
    scheduled = schedule.mod["main"]
    assert isinstance(scheduled, PrimFunc)
    if any(scheduled.buffer_map.get(param) is not buffer for param, buffer in program.buffer_map.items()):
        COUNTS["not run: the layout of an argument is another one"] += 1
        return
    COUNTS["scheduled"] += steps > 0
    COUNTS["steps"] += steps
    is_exact = code.is_exact and all(inst.kind.promises.is_exact for inst in schedule.trace.insts)
    mod, passes_are_exact = _passed(schedule.mod, program, example.passes)
    _compare("the interpreter", program, example, expected, lambda: interp.build(mod), is_exact and passes_are_exact)
    lowered = lower_for_llvm(mod)
    # here accesses outside of memory are errors
    _compare("the interpreter after lowering", program, example, expected, lambda: interp.build(lowered))
    # functions such as T.exp are rounded in another way
    _compare(
        "LLVM", program, example, expected, lambda: llvm.build(lowered, target=llvm.EXACT, opt_level=example.level)
    )


def reduces_in_order(program: PrimFunc) -> bool:
    """Whether a reduction scales its value before it adds a term, so that the order of its steps matters."""
    return any(
        isinstance(store, BufferStore)
        and isinstance(store.value, Add)
        and isinstance(store.value.a, Mul)
        and any(isinstance(part, BufferLoad) and part.buffer is store.buffer for part in nodes(store.value.a))
        for block in nodes(program)
        if isinstance(block, Block) and block.init is not None
        for store in nodes(block.body)
    )


def stores_layout(program: PrimFunc) -> bool:
    """Whether a program stores strides or offsets of matched regions as values."""
    layout = {
        part
        for block in nodes(program)
        if isinstance(block, Block)
        for region in block.match_buffers
        for part in (*region.buffer.strides, region.buffer.elem_offset)
        if isinstance(part, Var)
    }
    return any(
        part in layout
        for store in nodes(program)
        if isinstance(store, BufferStore)
        for part in nodes(store.value)
        if isinstance(part, Var)
    )


def _arguments(program: PrimFunc, example: Example) -> list[Any]:
    return [given.value for given in random_inputs(program, example.seed, example.sizes)]


def _passed(mod: IRModule, program: PrimFunc, names: Sequence[str]) -> tuple[IRModule, bool]:
    """Run passes; those that refuse the program or change its signature are left out."""
    is_exact, ran = True, 0
    for name in names:
        each = make(name)
        try:
            with redirect_stdout(io.StringIO()):
                output: IRModule = each(mod)
        except IRError as error:
            COUNTS["passes refused"] += 1
            COUNTS[f"refused by {name}: {error.code}"] += 1
            continue
        if not _same_signature(program, output):
            COUNTS[f"another signature after {name}"] += 1
            continue
        COUNTS["passes without an effect" if output is mod else "passes"] += 1
        ran += output is not mod
        mod, is_exact = output, is_exact and each.is_exact
    COUNTS["lowered by passes"] += ran > 0
    return mod, is_exact


def _same_signature(program: PrimFunc, mod: IRModule) -> bool:
    func = mod.functions.get(mod.get_global_var("main")) if "main" in mod else None
    return (
        isinstance(func, PrimFunc)
        and len(mod.functions) == 1
        and len(func.params) == len(program.params)
        and all(
            (buffer := program.buffer_map.get(old)) is None
            or ((now := func.buffer_map.get(new)) is not None and _layout(now) == _layout(buffer))
            for old, new in zip(program.params, func.params, strict=True)
        )
    )


def _layout(buffer: Buffer) -> list[str]:
    return [str(each) for each in (buffer.dtype, buffer.shape, buffer.strides)]


def _compare(
    way: str, program: PrimFunc, example: Example, expected: list[Any], build: Callable[[], Any], is_exact: bool = False
) -> None:
    values = _arguments(program, example)
    try:
        build()["main"](*values)
    except (Unsupported, UnsupportedDType) as error:
        COUNTS[f"not run by {way}: {error.code}: {error.text}"] += 1
        return
    mismatch = difference(program, [np.array(value) for value in expected], values, is_exact=is_exact)
    if mismatch is not None:
        raise Differs(way=way, **mismatch)
    COUNTS[f"same by {way}"] += 1
    COUNTS[f"bit by bit by {way}"] += is_exact


def again(*args: Any) -> Example:
    """Make an example from what `write` writes."""
    return Example(*args)


def write(example: Example) -> str:
    """Write the program, the choices and the passes."""
    given = {each.name: getattr(example, each.name) for each in fields(example)[:6]}
    text = as_literal(given.pop("text"))
    rest = ", ".join(repr(dict(value) if isinstance(value, Mapping) else value) for value in given.values())
    return (
        "from tests.campaign.area import check, again\n\n"
        f"PROGRAM = {text}\n\ncheck(again(PROGRAM, {rest}, {example.made}))\n"
    )


AREA: Final = Area("campaign", "three implementations compute the same", examples, check, write, 50, is_native=True)
__all__ = ["AREA", "ARGUMENTS", "COUNTS", "check"]
