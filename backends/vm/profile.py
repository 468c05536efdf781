"""Profiles of graph functions: a row for each kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.device import Device, cpu
from tvmscript.backends.runtime.parameters import Parameters
from tvmscript.backends.runtime.timing import Clock, clock_of
from tvmscript.backends.vm.values import FunctionValue, Value
from tvmscript.ir.analysis.cost.op_count import work_of
from tvmscript.ir.tir import PrimFunc


@dataclass
class KernelTime:
    """The calls of one kernel with arguments of one list of shapes."""

    name: str
    shapes: str
    count: int = 0
    seconds: float = 0.0
    #: bytes of all tensors that a call takes
    bytes: int = 0
    #: arithmetic operations of a call, 0 for packed functions
    operations: int = 0


@dataclass
class Profile:
    """The time of each kernel in one call of a graph function. It is an instrument of the interpreter."""

    function: str
    #: the kernels of the module, by name
    functions: Mapping[str, PrimFunc] = field(default_factory=dict, repr=False)
    kernels: dict[tuple[str, str], KernelTime] = field(default_factory=dict)
    #: where the kernels run
    device: Device = field(default_factory=cpu)
    _clock: Clock = field(init=False, repr=False)
    _start: float = 0.0
    #: kernels with the times before and behind them
    _spans: list[tuple[KernelTime, float, float]] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._clock = clock_of(self.device)

    def __call__(self, function: FunctionValue, name: str, before: bool, result: Value, *args: Value) -> None:
        now = self._clock.now()
        if before:
            self._start = now
            return
        tensors = [arg for arg in args if isinstance(arg, NDArray)]
        shapes = ", ".join(f"{tensor.dtype}[{', '.join(map(str, tensor.shape))}]" for tensor in tensors)
        row = self.kernels.get((name, shapes))
        if row is None:
            row = self.kernels[name, shapes] = KernelTime(name, shapes)
            row.bytes = sum(tensor.nbytes for tensor in tensors)
            if name in self.functions:
                kernel = self.functions[name]
                sizes = Parameters(name, kernel.params, kernel.buffer_map).sizes(args)
                row.operations = work_of(kernel, sizes).operations
        row.count += 1
        self._spans.append((row, self._start, now))

    def finish(self) -> None:
        """Add the times that were taken to the kernels, once a device has done its work."""
        for row, begin, end in self._spans:
            row.seconds += self._clock.seconds(begin, end)
        self._spans.clear()

    @property
    def seconds(self) -> float:
        """The time of all kernels."""
        return sum(row.seconds for row in self.kernels.values())

    def table(self) -> str:
        """Return the rows as text, the slowest kernel first."""
        total = self.seconds or 1.0
        lines = [f"{'kernel':<32} {'us':>10} {'%':>6} {'calls':>6} {'KB':>10} {'GB/s':>7} {'GFLOP/s':>8}  arguments"]
        for row in sorted(self.kernels.values(), key=lambda row: -row.seconds):
            rate = row.count / max(row.seconds, 1e-9) / 1e9
            lines.append(
                f"{row.name:<32} {row.seconds * 1e6:>10.2f} {row.seconds / total * 100:>6.1f} {row.count:>6} "
                f"{row.bytes / 1024:>10.1f} {row.bytes * rate:>7.2f} {row.operations * rate:>8.2f}  {row.shapes}"
            )
        lines.append(f"{'total':<32} {self.seconds * 1e6:>10.2f}")
        return "\n".join(lines)

    __str__ = table
