"""Tensor maps (TMA): the host makes them, and bulk copies of tiles read and write arrays by them.

Elements beside the array are zeros, and are not written. Rows of a tile are permuted as the map says, by the address
that they have in shared memory. Copies are executed when they are started. Sources: PTX ISA, section "Tensor"; CUDA's
driver API, `cuTensorMapEncodeTiled`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Final

from tvmscript.backends.interp.calls import SPECIAL, unavailable
from tvmscript.backends.interp.compiler import Code, Compiler, Frame
from tvmscript.backends.interp.cooperative_threads import current_member
from tvmscript.backends.interp.memory import Pointer, codec
from tvmscript.backends.interp.multicast import delivery
from tvmscript.backends.interp.product_operands import MemoryRange
from tvmscript.backends.interp.ptx_operands import Instruction, guarded, shared_address
from tvmscript.backends.runtime.errors import OutOfMemoryRange, Unsupported
from tvmscript.ir.core import DType, Span
from tvmscript.ir.tir import Call, IntImm, StringImm
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS

_CHUNK: Final = 16
#: code of a permutation -> bytes of its rows
_WIDTHS: Final = {0: 16, 1: 32, 2: 64, 3: 128}


@dataclass
class TensorMap:
    """An array in global memory and a box of it, the innermost dimension first; strides are in bytes."""

    start: Pointer | None = None
    sizes: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    box: tuple[int, ...] = ()
    itemsize: int = 1
    #: bytes of the rows whose chunks of 16 bytes are permuted
    width: int = _CHUNK

    @property
    def byte_count(self) -> int:
        """The bytes of a box."""
        return prod(self.box) * self.itemsize

    def rows(self, first: tuple[int, ...]) -> Iterator[tuple[int, int, int] | None]:
        """Yield where in memory the rows of a box are, and zeros around them; None for a row of zeros.

        >>> two_rows = TensorMap(None, (3, 1), (1, 8), (4, 2))
        >>> list(two_rows.rows((1, 0)))
        [(1, 0, 2), None]
        """
        begin, end = max(first[0], 0), min(first[0] + self.box[0], self.sizes[0])
        outer = [range(size) for size in reversed(self.box[1:])]
        for steps in product(*outer):
            places = [start + step for start, step in zip(first[1:], reversed(steps), strict=True)]
            exists = all(0 <= place < size for place, size in zip(places, self.sizes[1:], strict=True))
            if not exists or begin >= end:
                yield None
                continue
            row = sum(place * stride for place, stride in zip(places, self.strides[1:], strict=True))
            yield row + begin * self.itemsize, begin - first[0], end - begin

    def pieces(self, first: tuple[int, ...], span: Span | None) -> Iterator[tuple[int, range]]:
        """Yield the places in a box that the array has, and the bytes of the array. Raises `OutOfMemoryRange`."""
        assert self.start is not None
        memory, origin = self.start
        length = self.box[0] * self.itemsize
        for number, row in enumerate(self.rows(first)):
            if row is None:
                continue
            place, before, count = row
            begin, size = origin + place, count * self.itemsize
            if begin < 0 or begin + size > len(memory.raw):
                last = begin + size - 1
                raise OutOfMemoryRange(buffer=memory.name, first=begin, last=last, size=len(memory.raw), span=span)
            yield number * length + before * self.itemsize, range(begin, begin + size)

    def read(self, compiler: Compiler, first: tuple[int, ...], span: Span | None) -> bytes:
        """Return the bytes of a box. Raises `OutOfMemoryRange`."""
        assert self.start is not None
        memory, values = self.start.memory, bytearray(self.byte_count)
        for place, source in self.pieces(first, span):
            if compiler.monitor is not None:
                compiler.monitor.read(memory, source)
            values[place : place + len(source)] = memory.raw[source.start : source.stop]
        return bytes(values)

    def permute(self, values: bytes, address: int) -> bytes:
        """Return values as they lie in shared memory from an address on.

        >>> rows = bytes(range(256))
        >>> TensorMap(width=128).permute(rows, 0)[128:160:16].hex()
        '9080'
        """
        permuted = bytearray(len(values))
        for place, target in self._permutation(len(values), address):
            permuted[target : target + _CHUNK] = values[place : place + _CHUNK]
        return bytes(permuted)

    def restore(self, permuted: bytes, address: int) -> bytes:
        """Return values in order that lie in shared memory from an address on.

        >>> swizzled, rows = TensorMap(width=64), bytes(range(256))
        >>> swizzled.restore(swizzled.permute(rows, 0), 0) == rows
        True
        """
        values = bytearray(len(permuted))
        for place, source in self._permutation(len(permuted), address):
            values[place : place + _CHUNK] = permuted[source : source + _CHUNK]
        return bytes(values)

    def _permutation(self, size: int, address: int) -> Iterator[tuple[int, int]]:
        """Yield where the chunks of a box are, in order and in shared memory."""
        chunks = self.width // _CHUNK
        for place in range(0, size, _CHUNK):
            yield place, (address + place ^ (address + place >> 7 & chunks - 1) << 4) - address


def _allocate(compiler: Compiler, node: Call) -> Code:
    """Return an empty map."""
    kind, count = node.args
    if not isinstance(kind, StringImm) or kind.value != "tensormap" or getattr(count, "value", None) != 1:
        return unavailable(node)
    return lambda frame: TensorMap()


def _encode(compiler: Compiler, node: Call) -> Code:
    """Fill a map: an array, its sizes and strides in bytes, the box and its strides, and how it is copied."""
    names = [param.name for param in INSTRUCTIONS["tensormap_encode_tiled"].params]
    options = dict(zip(names, node.args[-len(names) :], strict=True))
    dtype, rank, swizzle = (options[name] for name in ("descriptor_dtype", "rank", "swizzle"))
    if not (isinstance(dtype, StringImm) and isinstance(rank, IntImm) and isinstance(swizzle, IntImm)):
        return unavailable(node)
    if swizzle.value not in _WIDTHS or any(
        getattr(options[name], "value", None) != 0 for name in ("interleave", "oob_fill")
    ):
        return unavailable(node)
    target, start, *numbers = [compiler.code(arg) for arg in node.args[: -len(names)]]
    dimensions, itemsize, width = rank.value, codec(DType(dtype.value)).size, _WIDTHS[swizzle.value]

    def encode(frame: Frame) -> int:
        values = [number(frame) for number in numbers]
        sizes, strides = values[:dimensions], values[dimensions : 2 * dimensions - 1]
        box, steps = values[2 * dimensions - 1 : 3 * dimensions - 1], values[3 * dimensions - 1 :]
        if any(step != 1 for step in steps):
            raise Unsupported(what="a tensor map with steps between elements", where="the interpreter", span=node.span)
        tensor_map: TensorMap = target(frame)
        tensor_map.start, tensor_map.itemsize, tensor_map.width = start(frame), itemsize, width
        tensor_map.sizes, tensor_map.strides, tensor_map.box = tuple(sizes), (itemsize, *strides), tuple(box)
        return 0

    return encode


def checked_range(place: Pointer, size: int, node: Call) -> range:
    """Return the bytes that a copy accesses from an address on. Raises `OutOfMemoryRange`."""
    memory, first = place
    if first + size > len(memory.raw):
        last = first + size - 1
        raise OutOfMemoryRange(buffer=memory.name, first=first, last=last, size=len(memory.raw), span=node.span)
    return range(first, first + size)


def copy_box(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Return code that copies a box of an array to shared memory; its bytes arrive at a barrier."""
    operands, slot = instruction.operands, compiler.member
    if operands.get("byte_mask") or "mbar" not in operands or "dst_mem" not in operands:
        return unavailable(node)
    target = shared_address(compiler, operands["dst_mem"][0], node)
    tensor_map_of = compiler.code(operands["tmap"][0])
    coordinates = [compiler.code(index) for index in operands["coords"]]
    deliver = delivery(compiler, node, instruction)

    def copy(frame: Frame) -> int:
        tensor_map: TensorMap = tensor_map_of(frame)
        place: Pointer = target(frame)
        checked_range(place, tensor_map.byte_count, node)
        values = tensor_map.read(compiler, tuple([index(frame) for index in coordinates]), node.span)
        address = current_member(frame[slot], node).team.number_of(place)
        deliver(frame, place, tensor_map.permute(values, address))
        return 0

    return guarded(compiler, instruction, copy)


def store_box(compiler: Compiler, node: Call, instruction: Instruction) -> Code:
    """Return code that copies a box from shared memory to an array, without what is beside the array."""
    operands, slot, monitor = instruction.operands, compiler.member, compiler.monitor
    if "tile::scatter4" in instruction.words:
        return unavailable(node)
    source = shared_address(compiler, operands["src_mem"][0], node)
    tensor_map_of = compiler.code(operands["tmap"][0])
    coordinates = [compiler.code(index) for index in operands["coords"]]

    def store(frame: Frame) -> int:
        tensor_map: TensorMap = tensor_map_of(frame)
        place: Pointer = source(frame)
        tile = checked_range(place, tensor_map.byte_count, node)
        address = current_member(frame[slot], node).team.number_of(place)
        values = tensor_map.restore(bytes(place.memory.raw[tile.start : tile.stop]), address)
        assert tensor_map.start is not None
        memory = tensor_map.start.memory
        pieces = list(tensor_map.pieces(tuple([index(frame) for index in coordinates]), node.span))
        if monitor is not None:
            targets = [MemoryRange(memory, target) for _, target in pieces]
            monitor.start_store(MemoryRange(place.memory, tile), targets)
        for start, target in pieces:
            memory.raw[target.start : target.stop] = values[start : start + len(target)]
        return 0

    return guarded(compiler, instruction, store)


SPECIAL["tir.tvm_stack_alloca"] = _allocate
SPECIAL["tir.tensormap_encode_tiled"] = _encode
