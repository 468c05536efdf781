"""The same values from the interpreter and from machine code, at several levels of optimization."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript.backends import interp, llvm
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.analysis.iterations import iterations_of
from tvmscript.ir.core.dtype import BOOL
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import Form
from tvmscript.ir.transform.pipeline import lower_for_llvm
from tvmscript.parser import from_source
from tvmscript.testing.fuzzing.area import Area
from tvmscript.testing.fuzzing.construction import construction
from tvmscript.testing.guarded import guarded
from tvmscript.testing.integer_kernels import ROWS, kernels
from tvmscript.testing.kernels import kernels as kernels_of_kinds
from tvmscript.testing.kernels import sizes_for
from tvmscript.testing.lane_kernels import ROWS as ROWS_OF_LANES
from tvmscript.testing.lane_kernels import as_numbers, different, lane_kernels, samples
from tvmscript.testing.programs.blocks import random_blocks
from tvmscript.testing.programs.features import random_features
from tvmscript.testing.programs.for_passes import LOWERING, lowered
from tvmscript.testing.programs.loops import random_program
from tvmscript.testing.python_integers import evaluate
from tvmscript.testing.staged import staged_program
from tvmscript.testing.strategies import block_funcs
from tvmscript.testing.values import difference

#: levels of optimization that are compared
LEVELS: Final = (0, 1, 2, 3)
_MOST: Final = 1 << 16
#: passes after which there are loops, and buffers of any dimensions
_TO_LOOPS: Final = f"{LOWERING[Form.OPAQUE_BLOCKS]},{LOWERING[Form.LOOPS]}"


class LevelsDisagree(TVMScriptError):
    """A kernel for which machine code computes something else than the interpreter, or than Python's integers."""

    code = "TS8042"
    message = "{name} computes something else than {other}: {buffer}{index} is {after} and not {before}"


@dataclass(frozen=True)
class Kernel:
    """A kernel that can be run; for expressions over integers what Python has to say is known, too."""

    func: PrimFunc
    #: those of Python's integers: variables, expressions and values of the variables
    variables: tuple[Var, ...] = ()
    expressions: tuple[Expr, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()
    levels: tuple[int, ...] = LEVELS
    #: of the elements of `samples`, which are compared bit by bit
    seed: int | None = None
    #: of extents that the kernel leaves open
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    #: whether buffers have one dimension before there is code
    is_flat: bool = True


@st.composite
def examples(draw: st.DrawFn) -> Kernel:
    """Expressions over integers of every width, over floats of every format and vectors of them, blocks, loops."""
    kind = draw(st.sampled_from(("integers", "lanes", "kinds", "staged", "blocks", "loops", "features", "small")))
    level = draw(st.sampled_from(LEVELS))
    if kind == "integers":
        func, variables, expressions, rows = draw(kernels())
        return Kernel(func, tuple(variables), tuple(expressions), tuple(map(tuple, rows)), (level,))
    if kind == "lanes":
        return Kernel(draw(lane_kernels()), levels=(level,), seed=draw(st.integers(0, 2**32 - 1)))
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


def check(kernel: Kernel) -> None:
    """Raises `LevelsDisagree`."""
    func = kernel.func.with_attr("global_symbol", "main")
    if kernel.expressions:
        _check_integers(replace(kernel, func=func))
        return
    if kernel.seed is not None:
        _check_samples(func, kernel.seed, kernel.levels)
        return
    if iterations_of(func) > _MOST:
        return
    module = IRModule({"main": func})

    def arguments() -> list[Any]:
        return [given.value for given in random_inputs(func, 0, kernel.sizes)]

    expected = _results(interp.build(module), arguments())
    loops = lower_for_llvm(module) if kernel.is_flat else lowered(module, _TO_LOOPS)
    for level in kernel.levels:
        # machine code has to stay inside of its arguments
        given = [guarded(value, is_behind=(place + level) % 2 == 1) for place, value in enumerate(arguments())]
        found = _results(llvm.build(loops, opt_level=level), given)
        _compare(func, f"LLVM at level {level}", "the interpreter", expected, found)


def _check_integers(kernel: Kernel) -> None:
    func, dtypes = kernel.func, [expr.dtype for expr in kernel.expressions]
    inputs = [(row, str(var.dtype)) for row, var in zip(kernel.rows, kernel.variables, strict=True)]
    expected: list[Any] = [np.array(row, dtype) for row, dtype in inputs]
    points = [dict(zip(kernel.variables, row, strict=True)) for row in zip(*kernel.rows, strict=True)]
    for expr in kernel.expressions:
        values = [evaluate(expr, point) for point in points]
        expected.append(np.array([bool(v) for v in values] if expr.dtype is BOOL else values, str(expr.dtype)))

    def arguments() -> list[Any]:
        return [*(np.array(row, dtype) for row, dtype in inputs), *(np.zeros(ROWS, str(dtype)) for dtype in dtypes)]

    module = IRModule({"main": func})
    _compare(func, "the interpreter", "Python", expected, _results(interp.build(module), arguments()))
    loops = lower_for_llvm(module)
    for level in kernel.levels:
        found = _results(llvm.build(loops, opt_level=level), arguments())
        _compare(func, f"LLVM at level {level}", "Python", expected, found)


def _check_samples(func: PrimFunc, seed: int, levels: tuple[int, ...]) -> None:
    buffers = [func.buffer_map[param] for param in func.params]

    def arguments() -> list[Any]:
        return [samples(buffer.dtype, ROWS_OF_LANES, seed + place) for place, buffer in enumerate(buffers)]

    module = IRModule({"main": func})
    with np.errstate(all="ignore"):
        expected = _results(interp.build(module), arguments())
        loops = lower_for_llvm(module)
        for level in levels:
            found = _results(llvm.build(loops, opt_level=level), arguments())
            for buffer, before, after in zip(buffers, expected, found, strict=True):
                for at in different(after, before, buffer.dtype)[:1]:
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


def _compare(func: PrimFunc, name: str, other: str, expected: list[Any], found: list[Any]) -> None:
    first = difference(func, expected, found)
    if first is not None:
        raise LevelsDisagree(name=name, other=other, **first)


def write(kernel: Kernel) -> str:
    """Node by node: the variables of the expressions are those of the kernel."""
    parts = tuple(getattr(kernel, each.name) for each in fields(kernel))
    text = "".join(f"# {line}".rstrip() + "\n" for line in kernel.func.script().splitlines())
    return (
        f"{construction(parts, 'parts')}\n\nfrom tvmscript.testing.fuzzing.codegen import Kernel, check\n\n"
        f"{text}check(Kernel(*parts))\n"
    )


AREA: Final = Area(
    "codegen", "machine code and interpreter compute the same", examples, check, write, batch=20, is_native=True
)
