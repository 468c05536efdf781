"""Compare the CUDA text of kernels, run on threads of the CPU, with the interpreter."""

from __future__ import annotations

import ctypes
import random
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript import driver
from tvmscript.backends import interp
from tvmscript.backends.cuda.errors import NotSupportedByCuda
from tvmscript.backends.cuda.kernel import launches
from tvmscript.backends.cuda.source import Source, write_source
from tvmscript.fuzz.area import Area
from tvmscript.fuzz.codegen.intrinsics import intrinsic_kernels
from tvmscript.fuzz.codegen.machine import FAMILIES
from tvmscript.fuzz.codegen.running import arguments_of, arrays_of
from tvmscript.fuzz.construct_script import construction
from tvmscript.fuzz.cuda import on_cpu
from tvmscript.fuzz.errors import LevelsDisagree
from tvmscript.fuzz.observing import is_observed, observe, observe_error
from tvmscript.fuzz.programs import threads
from tvmscript.fuzz.programs.blocks import random_blocks
from tvmscript.fuzz.programs.loop_features import random_features
from tvmscript.fuzz.programs.loops import random_program
from tvmscript.fuzz.programs.tensor_cores import asynchronous_copies, guarded_loads
from tvmscript.ir.core import DType, IRError, IRModule, TVMScriptError
from tvmscript.ir.tir import AttrStmt, For, ForKind, IntImm, IterKind, IterVar, PrimFunc, Var
from tvmscript.ir.transform.pipeline import is_kernel
from tvmscript.parser import from_source
from tvmscript.testing.lane_kernels import Array, as_numbers, cast_kernels, different, lane_kernels


@dataclass(frozen=True)
class Kernel:
    """A function whose loops are bound to threads, and how to call it."""

    func: PrimFunc
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    shared: tuple[tuple[str, str, int], ...] = ()
    #: whether it calls functions that are rounded in another way on a device
    is_rounded: bool = False


@dataclass(frozen=True)
class Example:
    """Kernels that are compiled together, as one call of the compiler takes as long as some ten of them."""

    kernels: tuple[Kernel, ...]
    arch: str = "sm_80"
    seed: int = 0


#: those from sm_89 on convert 8-bit floats by instructions, which the CPU does not have
_ARCHITECTURES: Final = ("sm_80", "sm_80", "sm_70")
#: tags that a loop can be bound to
_TAGS: Final = ("threadIdx.x", "threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.z")
_SERIAL: Final = ("elements", "guarded_loads", "tails", "sums", "views", "counted", "memory", "whiles", "joined")
#: writers of texts with threads; none exchanges values within a warp: on the CPU all 32 threads have to take part
_THREADS: Final = (
    threads.waiting,
    asynchronous_copies,
    guarded_loads,
    lambda rng: random_blocks(rng, True, shares=False),
)
_LOOPS: Final = (random_program, random_features)
_KINDS: Final = ("lanes", "lanes", "casts", "intrinsics", "intrinsics", "serial", "serial", "threads", "loops")
#: what the backend refuses: dtypes that no kernel computes with, operators and memory of other devices
_REFUSED: Final = (
    "float6", "float4", "float8", "int24", "int4", "lane by lane", "memory of the scope", "the operator",
    "nextafter of float16",
)  # fmt: skip


def examples() -> st.SearchStrategy[Example]:
    """Draw kernels of expressions, casts, intrinsics, accesses, loops and threads."""
    if on_cpu.COMPILER is not None:
        on_cpu.include_folder()  # it takes longer than an example
    return _examples()


@st.composite
def _examples(draw: st.DrawFn) -> Example:
    seed = draw(st.integers(0, 2**32 - 1))
    kernels = draw(st.lists(_kernels(), min_size=6, max_size=10))
    return Example(tuple(kernels), draw(st.sampled_from(_ARCHITECTURES)), seed)


@st.composite
def _kernels(draw: st.DrawFn) -> Kernel:
    kind = draw(st.sampled_from(_KINDS))
    if kind in ("lanes", "casts"):
        return Kernel(_bind(draw(lane_kernels() if kind == "lanes" else cast_kernels()), draw(st.sampled_from(_TAGS))))
    if kind == "intrinsics":
        func, far = draw(intrinsic_kernels())
        return Kernel(_bind(func, draw(st.sampled_from(_TAGS))), is_rounded=any(each != (0, 0) for each in far))
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    if kind == "serial":
        written = FAMILIES[rng.choice(_SERIAL)](rng)
        return Kernel(_in_one_thread(written.text), written.sizes, written.shared)
    if kind == "loops":
        return Kernel(_in_one_thread(rng.choice(_LOOPS)(rng)))
    threaded: PrimFunc = from_source(rng.choice(_THREADS)(rng))
    return Kernel(threaded)


def _bind(func: PrimFunc, tag: str) -> PrimFunc:
    """Bind the loop of a function to threads or blocks."""
    loop = func.body
    assert isinstance(loop, For)
    axis = IterVar(None, Var(tag, "int32"), IterKind.THREAD_INDEX, tag)
    return func.with_body(For(loop.loop_var, loop.min, loop.extent, ForKind.THREAD_BINDING, loop.body, axis))


def _in_one_thread(text: str) -> PrimFunc:
    """Return a function whose whole body one thread runs."""
    func: PrimFunc = from_source(text.replace('"global")', '"local")'))
    axis = IterVar(None, Var("blockIdx.x", "int32"), IterKind.THREAD_INDEX, "blockIdx.x")
    return func.with_body(AttrStmt(axis, "thread_extent", IntImm("int32", 1), func.body))


@dataclass(frozen=True)
class _Written:
    """A kernel with its text, and what the interpreter computes."""

    kernel: Kernel
    source: Source
    symbol: str
    expected: list[Array]


def check(example: Example) -> None:
    """Raises `LevelsDisagree`."""
    written = [each for number, kernel in enumerate(example.kernels) for each in _write(kernel, number, example)]
    if on_cpu.COMPILER is None or not written or is_observed():
        return
    with tempfile.TemporaryDirectory(prefix="tvmscript-cuda-") as folder:
        try:
            library = on_cpu.compile_kernels([each.source for each in written], Path(folder))
        except on_cpu.NotCompiled as error:
            raise LevelsDisagree(
                name="the CUDA text", other="C++", buffer="", index="", before="text of C++", after=str(error)
            ) from None
        for each in written:
            _compare(each, example.seed, library)


def _write(kernel: Kernel, number: int, example: Example) -> list[_Written]:
    """Return the text of a kernel; nothing where a pass or the backend refuses the program, or a call would fail."""
    func = kernel.func.with_attr("global_symbol", f"main{number}")
    try:
        lowered = driver.lower(IRModule({f"main{number}": func}), f"cuda -arch={example.arch}")
        source = write_source(lowered)
        observe("text", lambda: source.text)
    except NotSupportedByCuda as error:
        observe_error(error)
        if not any(word in error.text for word in _REFUSED):
            raise
        return []
    except IRError as error:
        observe_error(error)
        return []
    extents = [extent for each in source.kernels.values() for _, extent in launches(each)]
    if len(source.kernels) != 1 or None in extents or "asm" in on_cpu.without_mma(source.text):
        return []
    names = {*kernel.sizes, *(each.name for each in kernel.func.params)}
    names |= {buffer.data.name for buffer in kernel.func.buffer_map.values()}
    if any(param.name not in names for each in source.kernels.values() for param in each.params):
        return []  # the host hands over memory of its own
    (entry,) = [var.name_hint for var, each in lowered.items() if not is_kernel(each)]
    values, memory = arguments_of(kernel.func, example.seed, kernel.sizes, kernel.shared)
    with np.errstate(all="ignore"):
        try:
            interp.build(lowered)[entry](*values)
        except (TVMScriptError, ValueError):
            return []  # it leaves memory, or an assertion fails
    return [_Written(kernel, source, next(iter(source.kernels)), memory)]


def _compare(written: _Written, seed: int, library: ctypes.CDLL) -> None:
    func, kernel = written.kernel.func, written.source.kernels[written.symbol]
    values, memory = arguments_of(func, seed, written.kernel.sizes, written.kernel.shared)
    given: dict[str, Any] = dict(written.kernel.sizes)
    for param, value in zip(func.params, values, strict=True):
        buffer = func.buffer_map.get(param)
        given[param.name if buffer is None else buffer.data.name] = value
    extents = {tag: extent.value for tag, extent in launches(kernel) if extent is not None}
    grid, block = ([extents.get(f"{name}Idx.{axis}", 1) for axis in "xyz"] for name in ("block", "thread"))
    cells = [_cell(param, given[param.name]) for param in kernel.params]
    on_cpu.run_kernel(library, written.symbol, grid, block, 1 << 16, cells)
    named = arrays_of(func) if not written.kernel.shared else [("", None)] * len(memory)
    for (name, dtype), old, new in zip(named, written.expected, memory, strict=True):
        for at in _differing(old.reshape(-1), new.reshape(-1), dtype, is_rounded=written.kernel.is_rounded)[:1]:
            raise LevelsDisagree(
                name="the CUDA text", other="the interpreter", buffer=name, index=[at],
                before=old.reshape(-1)[at], after=new.reshape(-1)[at],
            )  # fmt: skip


def _differing(old: Array, new: Array, dtype: DType | None, *, is_rounded: bool) -> list[int]:
    if dtype is None:
        return np.flatnonzero(old != new).tolist()
    element = dtype.element
    places: list[int] = different(new, old, element).tolist()
    if is_rounded and element.is_floating:
        before, after = as_numbers(old, element), as_numbers(new, element)
        near = np.isclose(after.astype("float64"), before.astype("float64"), _TOLERANCE, 0, equal_nan=True)
        places = [at for at in places if not near[at]]
    return places


#: of functions that are rounded in another way, relative: a step of the narrow formats
_TOLERANCE: Final = 0.3


def _cell(param: Var, value: Any) -> Any:
    """Return the memory of a kernel's parameter."""
    if isinstance(value, np.ndarray):
        return ctypes.c_void_p(value.ctypes.data)
    return np.array(value, str(param.dtype))


def write(example: Example) -> str:
    """Write the kernels as constructor calls."""
    texts = "".join(f"# {line}".rstrip() + "\n" for each in example.kernels for line in each.func.script().splitlines())
    parts = tuple((each.func, dict(each.sizes), each.shared, each.is_rounded) for each in example.kernels)
    return (
        f"{construction(parts, 'parts')}\n\nfrom tvmscript.fuzz.cuda.area import Example, Kernel, check\n\n{texts}"
        f"check(Example(tuple(Kernel(*part) for part in parts), {example.arch!r}, {example.seed}))\n"
    )


AREA: Final = Area(
    "cuda", "the CUDA text of kernels computes what the interpreter does", examples, check, write, batch=4,
    is_native=True,
)  # fmt: skip
