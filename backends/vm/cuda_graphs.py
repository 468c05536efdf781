"""CUDA graphs: launches that `relax.RewriteCUDAGraph` outlines are captured once, and launched as a whole."""

from __future__ import annotations

import weakref
from collections.abc import Iterator, Sequence
from functools import cached_property

from tvmscript.backends.runtime import cuda_driver
from tvmscript.backends.runtime.array import NDArray
from tvmscript.backends.runtime.cuda_driver import Driver
from tvmscript.backends.runtime.device import Device, current_stream
from tvmscript.backends.vm.values import FunctionValue, Value


class _Capture:
    """The launches of a function, over memory that it keeps."""

    def __init__(self, driver: Driver, graph: int, args: Sequence[Value], result: Value) -> None:
        self.graph, self.result = graph, result
        #: the addresses that the launches have
        self.addresses = tuple(_addresses(args))
        self._args = tuple(args)
        weakref.finalize(self, driver.destroy_graph, graph).atexit = False


class CudaGraphs:
    """The storage and the captures of one executable, by the numbers that the pass gives them."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._storages: dict[int, Value] = {}
        self._captures: dict[int, _Capture] = {}

    @cached_property
    def _driver(self) -> Driver:
        return cuda_driver.find_driver(f"a graph of {self.device}", self.device.index)

    @cached_property
    def _stream(self) -> int:
        return self._driver.create_stream()

    def cached_alloc(self, function: FunctionValue, index: int) -> Value:
        """Return the storage that a function allocates when it is first needed."""
        if index not in self._storages:
            self._storages[index] = function()
        return self._storages[index]

    def run_or_capture(self, function: FunctionValue, args: Sequence[Value], index: int) -> Value:
        """Run a function the first time, and capture its launches; launch them as a graph from then on.

        Launches over other memory are captured anew. Raises `CudaDriverError`.
        """
        capture = self._captures.get(index)
        if capture is not None and capture.addresses == tuple(_addresses(args)):
            self._driver.launch_graph(capture.graph, current_stream(self.device))
            return capture.result
        result: Value = function(*args)  # it loads machine code, which a capture cannot
        self._captures[index] = self._capture(function, args)
        return result

    def _capture(self, function: FunctionValue, args: Sequence[Value]) -> _Capture:
        import tvm_ffi  # it takes a while to import

        with tvm_ffi.use_raw_stream(tvm_ffi.device("cuda", self.device.index), self._stream):
            self._driver.begin_capture(self._stream)
            try:
                result: Value = function(*args)
            finally:
                graph = self._driver.end_capture(self._stream)
        return _Capture(self._driver, graph, args, result)


def _addresses(values: Sequence[Value]) -> Iterator[int]:
    """Yield where the elements of the tensors among some values are."""
    for value in values:
        if isinstance(value, NDArray):
            yield value.address
        elif isinstance(value, list):
            yield from _addresses(value)
