"""A driver without a device: it records launches, and runs a function on the memory of the arguments instead."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np


class Config(ctypes.Structure):
    """CUlaunchConfig of cuda.h."""

    _fields_ = [
        ("grid", ctypes.c_uint * 3), ("block", ctypes.c_uint * 3), ("shared", ctypes.c_uint),
        ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint),
    ]  # fmt: skip


class Attribute(ctypes.Structure):
    """CUlaunchAttribute of cuda.h, whose values are numbers of 32 bits here."""

    _fields_ = [("number", ctypes.c_uint), ("pad", ctypes.c_uint), ("value", ctypes.c_uint * 16)]


_LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(Config), ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p
)
#: cuTensorMapEncodeTiled of cuda.h
_ENCODE = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint, ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint64),
    ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(ctypes.c_uint32), ctypes.POINTER(ctypes.c_uint32),
    *[ctypes.c_int] * 4,
)  # fmt: skip


#: status of the driver -> its words
ERRORS = {
    1: b"invalid argument",
    2: b"out of memory",
    209: b"no kernel image is available for execution on the device",
    700: b"an illegal memory access was encountered",
    701: b"too many resources requested for launch",
    716: b"misaligned address",
}


@dataclass
class Launched:
    """What a launch said."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    shared: int
    stream: int | None
    #: addresses of the kernel's parameters
    cells: list[int]
    #: number of an attribute -> the first numbers of its value
    attributes: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])
    #: the machine code that the kernel is of
    image: bytes = b""

    def pointer(self, place: int) -> int:
        """The pointer in a parameter."""
        return ctypes.c_uint64.from_address(self.cells[place]).value

    def int32(self, place: int) -> int:
        """The int32 in a parameter."""
        return ctypes.c_int32.from_address(self.cells[place]).value

    def float32(self, place: int) -> float:
        """The float32 in a parameter."""
        return ctypes.c_float.from_address(self.cells[place]).value

    def array(self, place: int, shape: tuple[int, ...], dtype: str) -> Any:
        """The memory of a parameter as an array."""
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        memory = (ctypes.c_uint8 * size).from_address(self.pointer(place))
        return np.ctypeslib.as_array(memory).view(dtype).reshape(shape)


@dataclass
class FakeDriver:
    """Records what is loaded and launched. Its memory is that of the CPU."""

    run: Callable[[Launched], None] = lambda launched: None
    arch: str = "sm_90a"
    #: status of launches, and of kernels that are waited for
    status: int = 0
    failure: int = 0
    images: list[bytes] = field(default_factory=list[bytes])
    loaded: list[dict[str, int]] = field(default_factory=list[dict[str, int]])
    launched: list[Launched] = field(default_factory=list[Launched])
    #: what tensor maps were made of: codes, sizes, strides, box, steps
    encoded: list[tuple[list[int], ...]] = field(default_factory=list[tuple[list[int], ...]])
    has_tensor_maps: bool = True
    #: contexts of the thread, the current one last; drivers of several devices share them
    contexts: list[int] = field(default_factory=lambda: [0x77])
    context: int = 0x77
    #: parameters of each kernel that is captured
    num_parameters: dict[str, int] = field(default_factory=dict[str, int])
    #: address of memory -> the memory, its stream
    allocated: dict[int, tuple[Any, int]] = field(default_factory=dict[int, tuple[Any, int]])
    #: address and stream of memory that was freed
    freed: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    #: what was asked of streams, events and graphs
    calls: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    #: launches of graphs, each with copies of its parameters
    graphs: list[list[tuple[Launched, list[Any]]]] = field(default_factory=list[list[tuple[Launched, list[Any]]]])

    def __post_init__(self) -> None:
        self._encoder = _ENCODE(self._encode)
        self.encode = ctypes.cast(self._encoder, ctypes.c_void_p).value or 0 if self.has_tensor_maps else 0
        pointer, number = ctypes.c_void_p, ctypes.c_int
        self._natives: dict[str, Any] = {
            "get_context": ctypes.CFUNCTYPE(number, pointer)(self._get_context),
            "push_context": ctypes.CFUNCTYPE(number, pointer)(self._push_context),
            "pop_context": ctypes.CFUNCTYPE(number, pointer)(self._pop_context),
            "is_capturing": ctypes.CFUNCTYPE(number, pointer, pointer)(self._is_capturing),
            "synchronize_stream": ctypes.CFUNCTYPE(number, pointer)(self._synchronize_stream),
            "error_string": ctypes.CFUNCTYPE(number, number, pointer)(self._error_string),
        }
        for name, native in self._natives.items():
            setattr(self, name, ctypes.cast(native, pointer).value or 0)
        self._last_kernel = ctypes.c_int64(-1)
        self.last_kernel = ctypes.addressof(self._last_kernel)
        self._names: list[tuple[str, bytes]] = []
        self._streams = 0x1000
        self._captured: int | None = None
        self._entry = _LAUNCH(self._launch)
        self.launch = ctypes.cast(self._entry, ctypes.c_void_p).value or 0

    def architecture(self) -> str:
        return self.arch

    def load(self, cubin: bytes, kernels: dict[str, int]) -> dict[str, int]:
        self.images.append(cubin)
        self.loaded.append(kernels)
        start = len(self._names)
        self._names += [(name, cubin) for name in kernels]
        return {name: start + place + 1 for place, name in enumerate(kernels)}

    def _launch(self, config: Any, kernel: int, cells: Any, extra: int) -> int:
        if self.contexts[-1:] != [self.context]:
            return 201
        given = config.contents
        name, image = self._names[kernel - 1]
        attributes = (Attribute * given.count).from_address(given.attributes) if given.count else ()
        self.launched.append(
            Launched(
                name, tuple(given.grid), tuple(given.block), given.shared, given.stream, [cells[i] for i in range(16)],
                {each.number: tuple(each.value[:3]) for each in attributes}, image,
            )
        )  # fmt: skip
        if given.stream is not None and given.stream == self._captured:
            launched = self.launched.pop()
            cells = launched.cells[: self.num_parameters[name]]
            kept = [(ctypes.c_uint8 * 8).from_buffer_copy(ctypes.string_at(cell, 8)) for cell in cells]
            launched.cells = [ctypes.addressof(cell) for cell in kept]
            self.graphs[-1].append((launched, kept))
            return self.status
        self.run(self.launched[-1])
        return self.status

    def _get_context(self, place: int) -> int:
        ctypes.c_void_p.from_address(place).value = self.contexts[-1] if self.contexts else None
        return 0

    def _push_context(self, context: int) -> int:
        self.contexts.append(context)
        return 0

    def _pop_context(self, place: int) -> int:
        ctypes.c_void_p.from_address(place).value = self.contexts.pop()
        return 0

    def _is_capturing(self, stream: int | None, place: int) -> int:
        ctypes.c_int.from_address(place).value = int(stream is not None and stream == self._captured)
        return 0

    def _synchronize_stream(self, stream: int | None) -> int:
        self.calls.append(("wait", stream))
        return self.failure

    def _error_string(self, status: int, place: int) -> int:
        words = ERRORS.get(status)
        if words is None:
            return 1
        ctypes.c_char_p.from_address(place).value = words
        return 0

    # ---- memory

    def allocate(self, size: int, stream: int) -> int:
        memory = np.full(size, 0xA5, np.uint8)
        self.allocated[memory.ctypes.data] = memory, stream
        return memory.ctypes.data

    def free(self, pointer: int, stream: int) -> None:
        del self.allocated[pointer]
        self.freed.append((pointer, stream))

    def copy(self, target: int, source: int, size: int, stream: int) -> None:
        places = [start for start, (memory, _) in self.allocated.items()
                  for place in (target, source) if start <= place and place + size <= start + memory.size]  # fmt: skip
        assert places, "a side of a copy is on the device"
        ctypes.memmove(target, source, size)
        self.calls.append(("copy", size, stream))

    # ---- streams, events: each launch takes a millisecond

    def capability(self) -> tuple[int, int]:
        digits = self.arch.removeprefix("sm_").removesuffix("a")
        return int(digits[:-1]), int(digits[-1])

    def attribute(self, number: int) -> int:
        return 100 + number

    def synchronize(self, stream: int | None) -> None:
        self.calls.append(("synchronize", stream))

    def create_stream(self) -> int:
        self._streams += 1
        return self._streams

    def destroy_stream(self, stream: int) -> None:
        self.calls.append(("destroy_stream", stream))

    def record_event(self, stream: int) -> int:
        self.calls.append(("record_event", stream))
        return 1 + len(self.launched)

    def elapsed(self, begin: int, end: int) -> float:
        return (end - begin) / 1e3

    # ---- graphs

    def begin_capture(self, stream: int) -> None:
        self.calls.append(("begin_capture", stream))
        self._captured = stream
        self.graphs.append([])

    def end_capture(self, stream: int) -> int:
        assert stream == self._captured
        self._captured = None
        return len(self.graphs)

    def launch_graph(self, graph: int, stream: int) -> None:
        self.calls.append(("launch_graph", graph, stream))
        for launched, _ in self.graphs[graph - 1]:
            self.launched.append(launched)
            self.run(launched)

    def destroy_graph(self, graph: int) -> None:
        self.calls.append(("destroy_graph", graph))

    def _encode(
        self, place: int, dtype: int, rank: int, data: int, sizes: Any, strides: Any, box: Any, steps: Any, *codes: int
    ) -> int:
        assert place % 64 == 0
        numbers = [[values[i] for i in range(count)] for values, count in
                   ((sizes, rank), (strides, rank - 1), (box, rank), (steps, rank))]  # fmt: skip
        self.encoded.append(([dtype, *codes], *numbers))
        ctypes.memset(place, len(self.encoded), 128)
        ctypes.c_uint64.from_address(place).value = data
        return self.status


# -- arrays on a device that is the CPU in disguise


class _Tensor(ctypes.Structure):
    """DLManagedTensor: a DLTensor, a context, a deleter."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int), ("ndim", ctypes.c_int),
        ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]  # fmt: skip


_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype, _new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class DeviceArray:
    """An array of NumPy that says by DLPack that it is on a CUDA device."""

    def __init__(self, array: Any, offset: int = 0, device: tuple[int, int] = (2, 0)) -> None:
        self.array, self._device = array, device
        self._shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        code = {"f": 2, "i": 0, "u": 1}[array.dtype.kind]
        self._tensor = _Tensor(
            array.ctypes.data + offset, *device, array.ndim, code, array.dtype.itemsize * 8, 1,
            ctypes.addressof(self._shape), None, 0, None, None,
        )  # fmt: skip

    def __dlpack__(self, **options: object) -> Any:
        return _new_capsule(ctypes.addressof(self._tensor), b"dltensor", None)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device
