"""What the machine can do, measured by kernels: fused multiply-adds in registers, copies out of the caches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from tvmscript.benchmark.timing import Call, Race
from tvmscript.driver import build
from tvmscript.ir.core.targets.machine_model import machine_model
from tvmscript.parser import from_source

#: independent chains of fused multiply-adds, enough for the latency of two units
_CHAINS: Final = 12
#: about a millisecond, so that waking threads is little of it
_STEPS: Final = 500_000
#: floats of an array that no cache holds
_COPIED: Final = 1 << 24

_ARITHMETIC = """
@T.prim_func
def arithmetic(A: T.Buffer(({two_vectors},), "{dtype}"), B: T.Buffer(({threads}, {count}), "{dtype}")):
    T.func_attr({{"tir.noalias": True, "tir.is_scheduled": True}})
    for thread in T.parallel({threads}):
        X = T.allocate([{count}], "{dtype}", "local")
        x = T.Buffer(({count},), "{dtype}", data=X, scope="local")
        for i in T.unroll({chains}):
            x[T.ramp(i * {lanes}, 1, {lanes})] = B[thread, T.ramp(i * {lanes}, 1, {lanes})]
        for step in range({steps}):
            for i in T.unroll({chains}):
                x[T.ramp(i * {lanes}, 1, {lanes})] = (
                    x[T.ramp(i * {lanes}, 1, {lanes})] * A[T.ramp(0, 1, {lanes})] + A[T.ramp({lanes}, 1, {lanes})]
                )
        for i in T.unroll({chains}):
            B[thread, T.ramp(i * {lanes}, 1, {lanes})] = x[T.ramp(i * {lanes}, 1, {lanes})]
"""
_COPY = """
@T.prim_func
def copy(A: T.Buffer(({count},), "float32"), B: T.Buffer(({count},), "float32")):
    T.func_attr({{"tir.noalias": True}})
    for i in range({count}):
        with T.block("copy"):
            v = T.axis.spatial({count}, i)
            B[v] = A[v]
"""


@dataclass(frozen=True)
class Limits:
    """The most operations a second by dtype, and the most bytes a second that are read and written."""

    operations: Mapping[str, float]
    bytes: float

    def seconds(self, dtype: str, operations: int, moved: int) -> float:
        """Return the least time for so many operations, and so many bytes that no cache has."""
        return max(operations / self.operations[dtype] if operations else 0.0, moved / self.bytes)


def measure_limits(race: Race, threads: int, dtypes: set[str], target: str, seconds: float) -> Limits:
    """Measure what this number of threads can do."""
    arithmetic = {dtype: _arithmetic(dtype, threads, target) for dtype in sorted(dtypes)}
    arrays = np.ones(_COPIED, "float32"), np.zeros(_COPIED, "float32")
    copy = partial(build(from_source(_COPY.format(count=_COPIED)), target=target)["copy"], *arrays)
    timings = race.run({**{dtype: call for dtype, (call, _) in arithmetic.items()}, "copy": copy}, seconds)
    rates = {dtype: operations / timings[dtype].best for dtype, (_, operations) in arithmetic.items()}
    return Limits(rates, 2 * arrays[0].nbytes / timings["copy"].best)


def _arithmetic(dtype: str, threads: int, target: str) -> tuple[Call, int]:
    """Return a call that computes in vector registers alone, and how many operations it does."""
    lanes = machine_model(target).lanes(np.dtype(dtype).itemsize)
    chains = _CHAINS if lanes > 1 else 8
    sizes = {"lanes": lanes, "two_vectors": 2 * lanes, "count": chains * lanes, "chains": chains}
    text = _ARITHMETIC.format(dtype=dtype, threads=threads, steps=_STEPS, **sizes)
    factors = np.full(2 * lanes, 0.5, dtype)
    values = np.ones((threads, chains * lanes), dtype)
    call = partial(build(from_source(text), target=target)["arithmetic"], factors, values)
    return call, 2 * chains * lanes * _STEPS * threads
