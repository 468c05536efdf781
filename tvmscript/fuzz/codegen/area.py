"""Compare compiled code with the interpreter at several optimization levels."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.codegen import machine
from tvmscript.fuzz.codegen.integer_kernels import ROWS, kernels, limited_kernels
from tvmscript.fuzz.codegen.intrinsics import intrinsic_kernels, is_near
from tvmscript.fuzz.codegen.machine import Text
from tvmscript.fuzz.construct_script import construction
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.guard_pages import check_padding, guarded, guarded_allocations
from tvmscript.fuzz.observing import is_observed
from tvmscript.fuzz.passes.programs import LOWERING, lowered
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.python_integers import evaluate
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.fuzz.records.programs import observe_code
from tvmscript.ir.analysis.cost.trip_count import iterations_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.tir import Expr, PrimFunc, Var
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.parser import from_source
from tvmscript.testing.kernels import kernels as kernels_of_kinds
from tvmscript.testing.kernels import sizes_for
from tvmscript.testing.lane_kernels import ROWS as ROWS_OF_LANES
from tvmscript.testing.lane_kernels import as_numbers, cast_kernels, different, lane_kernels, samples
from tvmscript.testing.schedule_values import difference
from tvmscript.testing.strategies import block_funcs

#: levels of optimization that are compared
LEVELS: Final = (0, 1, 2, 3)
_MOST: Final = 1 << 16
#: passes after which there are loops, and buffers of any dimensions
_TO_LOOPS: Final = f"{LOWERING[Form.OPAQUE_BLOCKS]},{LOWERING[Form.LOOPS]}"


@dataclass(frozen=True)
class Kernel:
    """A kernel to compile and run; integer expressions also have their values in Python."""

    func: PrimFunc
    #: for integer kernels: variables, expressions, and rows of values
    variables: tuple[Var, ...] = ()
    expressions: tuple[Expr, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()
    levels: tuple[int, ...] = LEVELS
    #: the seed of `samples`, whose results are compared bitwise
    seed: int | None = None
    #: values of symbolic extents
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    #: whether buffers are flattened before code generation
    is_flat: bool = True
    #: for each buffer of `samples`: the allowed error of float32 and float64, in ulp
    far: tuple[tuple[int, int], ...] = ()
    target: str = llvm.EXACT


#: each parallel loop runs in threads
_THREADED: Final = f"{llvm.EXACT} -parallel-threshold=0"
#: targets without some of the instructions of the host
_TARGETS: Final = (
    (*[_THREADED] * 3, f"{llvm.EXACT} -mcpu=x86-64", f"{llvm.EXACT} -mattr=-fma,-f16c")
    if platform.machine() in ("x86_64", "AMD64")
    else (_THREADED,)
)


#: with the masks of the host, and without them
_TARGETS_OF_TILES: Final = ("llvm", llvm.EXACT, *(("llvm -mcpu=x86-64",) if len(_TARGETS) > 1 else ()))
#: families with targets of their own
_FAMILY_TARGETS: Final = {
    "transposes": _TARGETS_OF_TILES,
    # processors that compute float16 round each operation, or fuse two
    "small_floats": (llvm.EXACT, llvm.EXACT, "llvm -mattr=-avx512fp16" if len(_TARGETS) > 1 else llvm.EXACT),
}
Example = Kernel | Text
#: kinds of examples, weighted
_KINDS: Final = (
    "text", "intrinsics", "text", "limited", "text", "lanes", "text", "integers", "text", "intrinsics", "text", "kinds",
    "text", "intrinsics", "text", "limited", "text", "lanes", "text", "programs", "text", "intrinsics", "text", "kinds",
    "text",
)  # fmt: skip
_PROGRAMS: Final = ("staged", "blocks", "loops", "features", "small")
#: families of loops, which are optimized from level 2 on
_FOR_LEVELS: Final = ("sums", "views", "meet", "joined", "small_floats")
_FAMILIES: Final = (
    *machine.FAMILIES, "vectors", "vectors", "vectors", "elements", "elements", "arguments", "sums", "views", "counted",
    "guarded_loads", "tails", "tails", "short_memory", "short_memory", *["small_floats"] * 9,
)  # fmt: skip


@st.composite
def examples(draw: st.DrawFn, only: tuple[str, ...] = ()) -> Example:
    """Draw kernels: integer, float and vector expressions, intrinsics, calls, accesses, arguments, blocks, loops.

    `only` restricts the kinds, and the families of texts.
    """
    kind = draw(st.sampled_from(only or _KINDS))
    if kind == "programs":
        kind = draw(st.sampled_from(_PROGRAMS))
    level = draw(st.sampled_from(LEVELS))
    if kind == "text" or kind in machine.FAMILIES:
        return _text(draw, level, draw(st.sampled_from(_FAMILIES)) if kind == "text" else kind)
    if kind == "intrinsics":
        func, far = draw(intrinsic_kernels())
        target = draw(st.sampled_from(_TARGETS))
        return Kernel(func, levels=(level,), seed=draw(_SEEDS), far=far, target=target, is_flat=draw(st.booleans()))
    if kind in ("integers", "limited"):
        func, variables, expressions, rows = draw(kernels() if kind == "integers" else limited_kernels())
        flat = draw(st.booleans())
        return Kernel(func, tuple(variables), tuple(expressions), tuple(map(tuple, rows)), (level,), is_flat=flat)
    if kind == "lanes":
        func = draw(st.one_of(lane_kernels(), cast_kernels()))
        return Kernel(func, levels=(level,), seed=draw(_SEEDS), is_flat=draw(st.booleans()))
    if kind in ("small", "kinds"):
        func = draw(block_funcs() if kind == "small" else kernels_of_kinds())
        return Kernel(func, levels=(level,), sizes=draw(sizes_for(func)), is_flat=draw(st.booleans()))
    rng = draw(st.randoms(use_true_random=False))
    text = {
        "staged": lambda: staged_program(lambda count: draw(st.integers(0, count - 1))),
        "blocks": lambda: random_blocks(rng, False),
        "loops": lambda: random_program(rng),
        "features": lambda: random_features(rng),
    }[kind]()
    return Kernel(from_source(text), levels=(level,))


_SEEDS: Final = st.integers(0, 2**32 - 1)


def _text(draw: st.DrawFn, level: int, family: str) -> Text:
    kernel = machine.FAMILIES[family](draw(st.randoms(use_true_random=False)))
    if family in _FOR_LEVELS:
        level = draw(st.sampled_from((2, 3, level)))
    target = draw(st.sampled_from(_FAMILY_TARGETS.get(family, (llvm.EXACT,))))
    wide = kernel.wide if target != llvm.EXACT else ""
    return Text(
        kernel.text,
        level,
        draw(st.sampled_from(machine.forms_for(kernel.text))),
        draw(_SEEDS),
        kernel.sizes,
        kernel.shared,
        draw(_SEEDS) if family == "arguments" and draw(st.integers(0, 7)) else None,
        told=kernel.told,
        target=target,
        results=kernel.results,
        wide=wide,
        has_lines=draw(st.integers(0, 7)) == 0,
    )


def check(kernel: Example) -> None:
    """Raises `LevelsDisagree`."""
    if isinstance(kernel, Text):
        machine.check(kernel)
        return
    func = kernel.func.with_attr("global_symbol", "main")
    if is_observed():
        module = IRModule({"main": func})
        loops = lower_for_llvm(module) if kernel.is_flat else lowered(module, _TO_LOOPS)
        for level in kernel.levels:
            observe_code(loops, kernel.target, level)
        return
    if kernel.expressions:
        _check_integers(replace(kernel, func=func))
        return
    if kernel.seed is not None:
        _check_samples(replace(kernel, func=func), kernel.seed)
        return
    if iterations_of(func) > _MOST:
        return
    module = IRModule({"main": func})

    def arguments() -> list[Any]:
        return [given.value for given in random_inputs(func, 0, kernel.sizes)]

    expected = _results(interp.build(module), arguments())
    loops = lower_for_llvm(module) if kernel.is_flat else lowered(module, _TO_LOOPS)
    for level in kernel.levels:
        # arrays next to guard pages detect accesses out of bounds
        given = [guarded(value, is_behind=(place + level) % 2 == 1) for place, value in enumerate(arguments())]
        with guarded_allocations(is_behind=level % 2 == 1):
            results = _results(llvm.build(loops, target=kernel.target, opt_level=level), given)
        check_padding(given)
        _compare(func, f"LLVM at level {level}", "the interpreter", expected, results)


def _check_integers(kernel: Kernel) -> None:
    func, dtypes = kernel.func, [expr.dtype for expr in kernel.expressions]
    inputs = [(row, str(var.dtype)) for row, var in zip(kernel.rows, kernel.variables, strict=True)]
    expected: list[Any] = [np.array(row, dtype) for row, dtype in inputs]
    points = [dict(zip(kernel.variables, row, strict=True)) for row in zip(*kernel.rows, strict=True)]
    has_no_value: list[Any] = [np.zeros(len(row), bool) for row in kernel.rows]
    for expr in kernel.expressions:
        values = [_evaluated(expr, point) for point in points]
        has_no_value.append(np.array([value is None for value in values]))
        expected.append(np.array([value or 0 for value in values], str(expr.dtype)))

    def arguments() -> list[Any]:
        return [*(np.array(row, dtype) for row, dtype in inputs), *(np.zeros(ROWS, str(dtype)) for dtype in dtypes)]

    module = IRModule({"main": func})
    if not any(map(np.any, has_no_value)):
        _compare(func, "the interpreter", "Python", expected, _results(interp.build(module), arguments()))
    loops = lower_for_llvm(module) if kernel.is_flat else module
    for level in kernel.levels:
        results = _results(llvm.build(loops, target=kernel.target, opt_level=level), arguments())
        for values, unknown in zip(results, has_no_value, strict=True):
            values[unknown] = 0
        _compare(func, f"LLVM at level {level}", "Python", expected, results)


def _evaluated(expr: Expr, point: Mapping[Var, int]) -> int | None:
    """Evaluate an expression; None if it divides by zero."""
    try:
        return int(evaluate(expr, point))
    except ZeroDivisionError:
        return None


def _check_samples(kernel: Kernel, seed: int) -> None:
    func = kernel.func
    buffers = [func.buffer_map[param] for param in func.params]

    def arguments() -> list[Any]:
        return [samples(buffer.dtype, ROWS_OF_LANES, seed + place) for place, buffer in enumerate(buffers)]

    module = IRModule({"main": func})
    with np.errstate(all="ignore"):
        expected = _results(interp.build(module), arguments())
        loops = lower_for_llvm(module) if kernel.is_flat else module
        for level in kernel.levels:
            results = _results(llvm.build(loops, target=kernel.target, opt_level=level), arguments())
            for place, (buffer, before, after) in enumerate(zip(buffers, expected, results, strict=True)):
                differs: list[int] = different(after, before, buffer.dtype).tolist()
                if kernel.far:
                    differs = [at for at in differs if not is_near(after, before, at, buffer.dtype, kernel.far[place])]
                for at in differs[:1]:
                    raise LevelsDisagree(
                        name=f"LLVM at level {level}",
                        other="the interpreter",
                        buffer=buffer.name,
                        index=[int(at)],
                        before=as_numbers(before, buffer.dtype)[at],
                        after=as_numbers(after, buffer.dtype)[at],
                    )


def _results(built: Any, arguments: list[Any]) -> list[Any]:
    """The arguments after a call."""
    built["main"](*arguments)
    return [np.array(each) for each in arguments]


def _compare(func: PrimFunc, name: str, other: str, expected: list[Any], results: list[Any]) -> None:
    first = difference(func, expected, results)
    if first is not None:
        raise LevelsDisagree(name=name, other=other, **first)


def write(kernel: Example) -> str:
    """Write the kernel as constructor calls, so that variables keep their identity; texts verbatim."""
    if isinstance(kernel, Text):
        return machine.write(kernel)
    parts = tuple(getattr(kernel, each.name) for each in fields(kernel))
    text = "".join(f"# {line}".rstrip() + "\n" for line in kernel.func.script().splitlines())
    return (
        f"{construction(parts, 'parts')}\n\nfrom tvmscript.fuzz.codegen.area import Kernel, check\n\n"
        f"{text}check(Kernel(*parts))\n"
    )


AREA: Final = Area(
    "codegen", "machine code and interpreter compute the same", examples, check, write, batch=20, is_native=True,
    subjects=Subjects("kind", lambda: {*_KINDS, *_PROGRAMS, *machine.FAMILIES} - {"text", "programs"}, examples),
)  # fmt: skip
