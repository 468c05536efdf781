"""How things are timed, the same for us and for the peer; needs NumPy alone."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray


def best(
    action: Callable[[], object],
    seconds: float = 1.0,
    least: int = 5,
    clock: Callable[[], float] = time.process_time,
) -> float:
    """Seconds of the fastest call, of CPU time by default, out of as many as fit in the time given."""
    action()
    fastest = float("inf")
    begin = time.perf_counter()
    rounds = 0
    while rounds < least or time.perf_counter() - begin < seconds:
        start = clock()
        action()
        fastest = min(fastest, clock() - start)
        rounds += 1
    return fastest


def best_of_many(action: Callable[[], object], calls: int = 20_000, rounds: int = 7) -> float:
    """Seconds per call of an action that is too short to be timed alone."""
    fastest = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            action()
        fastest = min(fastest, (time.perf_counter() - start) / calls)
    return fastest


def run_seconds(
    functions: Mapping[str, Callable[..., object]],
    shapes: Mapping[str, Sequence[tuple[int, ...]]],
    hold: Callable[[Any], Any],
) -> dict[str, float]:
    """Seconds of a call of each function on random float32 arrays of its shapes, as `hold` makes tensors of them."""
    generator = np.random.default_rng(0)
    seconds: dict[str, float] = {}
    for name, of_each in shapes.items():
        tensors = [hold(_aligned(generator.uniform(-1, 1, shape).astype("float32"))) for shape in of_each]
        seconds[name] = best(partial(functions[name], *tensors), 0.5, 20, time.perf_counter)
    return seconds


def _aligned(array: NDArray[Any]) -> NDArray[Any]:
    """The same values at an address that 64 divides: elsewhere half of the vectors cross a cache line."""
    memory = np.empty(array.nbytes + 64, "uint8")
    begin = -memory.ctypes.data % 64
    result = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    result[:] = array
    return result


def import_seconds(package: str, rounds: int = 5) -> float:
    """Seconds that importing a package takes in a fresh process, without the interpreter's own start."""
    code = f"import time; t = time.perf_counter(); import {package}; print(time.perf_counter() - t)"
    times: list[float] = []
    for _ in range(rounds):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        times.append(float(done.stdout))
    return min(times)
