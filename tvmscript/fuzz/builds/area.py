"""Compare functions under the default schedules of CPUs and GPUs, and in threads, with the interpreter."""

from __future__ import annotations

import random
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from tvmscript.backends import interp, llvm
from tvmscript.backends.llvm.linked_code import threads
from tvmscript.backends.runtime.module import Module
from tvmscript.fuzz.area import Area, Subjects
from tvmscript.fuzz.builds import caching, gpu, operators, orders, plain, threading
from tvmscript.fuzz.builds.building import build_scheduled, schedule
from tvmscript.fuzz.builds.caching import Caching
from tvmscript.fuzz.builds.gpu import OnGPU
from tvmscript.fuzz.builds.orders import Ordering
from tvmscript.fuzz.codegen.machine import as_main
from tvmscript.fuzz.codegen.running import first_difference, shape_of, told
from tvmscript.fuzz.errors import LevelsDisagree, TakesTooLong
from tvmscript.fuzz.guard_pages import check_padding, guarded
from tvmscript.fuzz.records.outcomes import Outcomes, Refused
from tvmscript.fuzz.scripts import as_literal
from tvmscript.ir.core import IRError
from tvmscript.ir.tir import PrimFunc
from tvmscript.parser import from_source


@dataclass(frozen=True)
class Plain:
    """A function that is built with its default schedule and called, in some threads, from some threads at once.

    Arrays of floats have small integers, whose sums are exact in any order.
    """

    text: str
    seed: int = 0
    target: str = "llvm"
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    threads: int = 1
    calls: int = 1
    callers: int = 1


Example = Plain | Caching | Ordering | OnGPU
#: kinds of examples, weighted
_KINDS: Final = (
    "products", "products", "windows", "chains", "sums", "extremes", "scans", "scans", "joins", "results", "large",
    "parallel", "parallel", "cache", "orders", "orders", "gpu", "gpu", "gpu", "gpu",
)  # fmt: skip
#: loops become vectors from level 2 on
_TARGETS: Final = (
    "llvm", "llvm -parallel-threshold=0", "llvm -mcpu=x86-64-v3", "llvm -opt-level=1 -mcpu=x86-64",
    f"{llvm.EXACT} -opt-level=1",
)  # fmt: skip
#: machines that outcomes are recorded of: their triples are of no host, whose vectors and caches differ
_RECORDED: Final = tuple(
    f"llvm -mtriple={machine}"
    for machine in (
        "x86_64-pc-linux-gnu -mcpu=skylake-avx512", "x86_64-pc-linux-gnu -mcpu=x86-64-v3", "aarch64-linux-gnu",
        "x86_64-pc-linux-gnu -mcpu=x86-64", "x86_64-pc-linux-gnu -mcpu=haswell -split-reductions=0",
    )
)  # fmt: skip
_FAMILIES: Final = {**plain.FAMILIES, **operators.FAMILIES, "parallel": threading.parallel}


@st.composite
def examples(draw: st.DrawFn, only: tuple[str, ...] = ()) -> Example:
    """Draw functions without a schedule, parallel loops, operators with an order, and histories of the cache.

    `only` restricts the kinds, and the rules of GPUs.
    """
    kind = draw(st.sampled_from(only or _KINDS))
    # numbers of Hypothesis can be reduced; those of a seed are even
    rng = draw(st.one_of(st.randoms(use_true_random=False), *[_SEEDS.map(random.Random)] * 3))
    if kind == "cache":
        return caching.draw(rng)
    if kind == "gpu" or kind in gpu.RULES:
        return gpu.draw(rng, kind if kind in gpu.RULES else rng.choice(gpu.RULES))
    if kind == "orders":
        return orders.draw(rng, draw(st.sampled_from(_TARGETS)))
    written = _FAMILIES[kind](rng)
    seed, count = draw(_SEEDS), draw(st.integers(1, 5))
    if kind == "parallel":
        # beside the loops that threads run, those that cost too little for them
        target = f"{llvm.EXACT} -opt-level=1{draw(st.sampled_from((' -parallel-threshold=0', '')))}"
        return Plain(written.text, seed, target, written.sizes, count, draw(st.integers(1, 3)), draw(st.integers(1, 2)))
    return Plain(written.text, seed, draw(st.sampled_from(_TARGETS)), written.sizes, count)


_SEEDS: Final = st.integers(0, 2**32 - 1)


def check(example: Example) -> None:
    """Raises `LevelsDisagree`."""
    if isinstance(example, Caching):
        caching.check(example)
        return
    if isinstance(example, Ordering):
        orders.check(example)
        return
    if isinstance(example, OnGPU):
        gpu.check(example)
        return
    module = as_main(from_source(example.text))
    func = module["main"]
    assert isinstance(func, PrimFunc)
    before = threads(example.threads)
    try:
        expected = _run(interp.build(module), func, example)
        built = build_scheduled(module, example.target)
        with ThreadPoolExecutor(example.callers) as pool:
            for found in pool.map(lambda _: _run(built, func, example), range(example.callers)):
                _compare(func, expected, found)
    finally:
        threads(before)


def _run(built: Module, func: PrimFunc, example: Plain) -> tuple[list[Any], Exception | None]:
    """Call the function on new arrays; return these and the error, if there is one."""
    rng = np.random.default_rng(example.seed)
    arrays: list[Any] = []
    for place, param in enumerate(func.params):
        buffer = func.buffer_map[param]
        dtype, shape = str(buffer.dtype), shape_of(buffer, example.sizes)
        low, high = (np.iinfo(dtype).min, np.iinfo(dtype).max) if dtype in ("int8", "uint8") else (-3, 3)
        values = rng.integers(low, high + 1, shape).astype(dtype)
        arrays.append(guarded(values, is_behind=(example.seed + place) % 2 == 1))
    raised: Exception | None = None
    try:
        for _ in range(example.calls):
            built["main"](*arrays)
    except TakesTooLong:
        raise
    except Exception as error:  # noqa: BLE001  # whatever a function that is called raises
        raised = error
    check_padding(arrays)
    return arrays, raised


def _compare(
    func: PrimFunc, before: tuple[list[Any], Exception | None], after: tuple[list[Any], Exception | None]
) -> None:
    if told(before[1]) != told(after[1]):
        _differ("the error", "", told(before[1]), told(after[1]))
    if before[1] is not None:
        return  # other threads may have progressed further
    for param, old, new in zip(func.params, before[0], after[0], strict=True):
        buffer = func.buffer_map[param]
        at = first_difference(old, new, None)
        if at is not None:
            _differ(buffer.name, [*at], old[at], new[at])


def _differ(buffer: str, index: object, before: object, after: object) -> None:
    raise LevelsDisagree(
        name="a build", other="the interpreter", buffer=buffer, index=index, before=before, after=after
    )


def write(example: Example) -> str:
    """Write the text and the settings of its run, or the history of the cache."""
    if isinstance(example, Caching):
        return (
            "from tvmscript.fuzz.builds.area import check\n"
            "from tvmscript.fuzz.builds.caching import Caching, Request\n\n"
            f"check({example!r})\n"
        )
    if isinstance(example, Ordering):
        return f"from tvmscript.fuzz.builds.orders import Ordering, check\n\ncheck({example!r})\n"
    rest = {name: value for name, value in vars(example).items() if name != "text"}
    listed = "".join(f", {name}={value!r}" for name, value in rest.items())
    kind = type(example)
    check_imported = f"from {kind.__module__} import {kind.__name__}, check"
    return f"{check_imported}\n\ntext = {as_literal(example.text)}\ncheck({kind.__name__}(text{listed}))\n"


def _outcome(kind: str, rng: random.Random) -> Any:
    """Return a function under its default schedule."""
    try:
        if kind in gpu.RULES:
            return gpu.schedule(gpu.draw(rng, kind))
        target = rng.choice(_RECORDED)
        written = operators.large(rng, target) if kind == "large" else _FAMILIES[kind](rng)
        return schedule(as_main(from_source(written.text)), target)
    except IRError as error:
        return Refused(error.code, error.text)


AREA: Final = Area(
    "builds",
    "default schedules of CPUs and GPUs, threads and the cache change no value",
    examples,
    check,
    write,
    batch=20,
    is_native=True,
    subjects=Subjects("kind", lambda: {*_KINDS, *gpu.RULES} - {"gpu"}, examples),
    outcomes=Outcomes("builds", lambda: {*_FAMILIES, *gpu.RULES}, _outcome, count=18, is_observed=False),
)
