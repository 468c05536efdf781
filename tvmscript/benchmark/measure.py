"""A kernel and its peers on equal arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tvmscript.backends.runtime.array import NDArray
from tvmscript.benchmark import peers
from tvmscript.benchmark.timing import Call, Race, Timing
from tvmscript.driver import build
from tvmscript.ir.core import IRModule

#: what a kernel compiled by this package is called
OURS = "tvmscript"


@dataclass(frozen=True)
class Settings:
    """How kernels are measured."""

    target: str
    threads: int
    #: of measuring, for each candidate
    seconds: float
    #: libraries to compare with
    libraries: Sequence[str]


@dataclass(frozen=True)
class Measured:
    """A kernel, and the times of those who do its work."""

    name: str
    timings: Mapping[str, Timing]
    #: what the arguments are after one call
    results: Mapping[str, list[Any]]

    @property
    def own(self) -> Timing:
        """The time of the kernel itself."""
        return self.timings[OURS]

    @property
    def ratio(self) -> float | None:
        """How many times as fast as the fastest peer the kernel is; None without peers."""
        others = [timing.best for name, timing in self.timings.items() if name != OURS]
        return min(others) / self.own.best if others else None


def measure(
    name: str,
    module: IRModule,
    arguments: Sequence[Any],
    functions: Mapping[str, Callable[..., object]],
    settings: Settings,
    race: Race,
) -> Measured:
    """Measure a kernel of a module, and those of libraries; `functions` are the functions of the file.

    Raises `PeerFailed`, and the errors of `build`.
    """
    own = copies(arguments)
    compiled = build(module, target=settings.target)[name]
    compiled(*own)
    results = {OURS: copies(own)}
    calls: dict[str, Call] = {OURS: partial(compiled, *own)}
    for library in settings.libraries:
        function = peers.function_of(library, name, functions)
        if function is None and library != "tvm":
            continue
        calls[library], result = peers.prepare(library, name, module, function, copies(arguments), settings.threads)
        results[library] = copies(result())
    return Measured(name, race.run(calls, settings.seconds), results)


def copies(values: Sequence[Any]) -> list[Any]:
    """Copy arguments, so that candidates do not share arrays; elements begin at a multiple of 64 bytes."""
    return [
        NDArray(_aligned(value.storage), value.dtype)
        if isinstance(value, NDArray)
        else _aligned(value)
        if isinstance(value, np.ndarray)
        else value
        for value in values
    ]


def _aligned(array: Any) -> Any:
    if not array.flags.c_contiguous:
        return array.copy(order="K")
    memory = np.empty(array.nbytes + 64, "uint8")
    begin = -memory.ctypes.data % 64
    copy = memory[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
