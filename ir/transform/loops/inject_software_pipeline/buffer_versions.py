"""Multi-versioning of the buffers of a software pipeline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core import INT32, on
from tvmscript.ir.tir import AccessRewriter, Block, Buffer, BufferStore, Expr, IntImm, Var, match_types
from tvmscript.ir.tir.expr import LE, Add, BinaryOp, BufferLoad, BufferRegion, Call, FloorDiv, FloorMod, Mul, Range
from tvmscript.ir.transform.loops.inject_software_pipeline.bulk_copies import BulkCopy
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment


@dataclass(eq=False)
class Component:
    """A statement of the pipeline body, as a block; it runs iteration i while stage 0 runs iteration i + stage."""

    block: Block
    stage: int
    #: its position in the pipelined loop
    order: int
    #: whether its copies are asynchronous
    is_async: bool
    #: the tile that it copies in bulk
    copy: BulkCopy | None = None


def count_versions(buffer: Buffer, components: list[Component], doubled: Iterable[Buffer]) -> int:
    """Return the number of iterations of the pipeline that use the buffer at a time.

    A buffer that stage a writes and stage b reads is live in b - a + 1 iterations. One version instead of two is enough
    if no element is overwritten before a later stage reads it in the same iteration of the pipelined loop.
    """
    writers = [component for component in components if _region(component.block.writes, buffer) is not None]
    readers = [component for component in components if _region(component.block.reads, buffer) is not None]
    if not writers:
        return 1
    last = max([component.stage for component in readers], default=-1)
    count = last - min(component.stage for component in writers) + 1
    if count == 2 and not any(_overwrites_unread(writer, reader, buffer) for writer in writers for reader in readers):
        count = 1
    return 2 if count == 1 and buffer in doubled else max(count, 1)


def _region(regions: tuple[BufferRegion, ...], buffer: Buffer) -> BufferRegion | None:
    return next((region for region in regions if region.buffer is buffer), None)


def _overwrites_unread(writer: Component, reader: Component, buffer: Buffer) -> bool:
    """Return whether elements may be overwritten for a later iteration before an earlier one reads them."""
    if not (writer.order < reader.order and writer.stage < reader.stage):
        return False
    written, read = _region(writer.block.writes, buffer), _region(reader.block.reads, buffer)
    assert written is not None
    assert read is not None
    analyzer = Analyzer()
    return not any(_are_disjoint(a, b, analyzer) for a, b in zip(written.region, read.region, strict=True))


def _are_disjoint(a: Range, b: Range, analyzer: Analyzer) -> bool:
    """Return whether two ranges are provably disjoint."""
    return any(
        analyzer.can_prove(LE(*match_types(make_op(Add, one.min, one.extent), other.min)))
        for one, other in ((a, b), (b, a))
    )


def make_op(cls: type[BinaryOp], a: Expr | int, b: Expr | int) -> Expr:
    """Return the folded operation, with operands converted to one dtype."""
    return fold.make(cls, *match_types(a, b))


def add_version_dimension(buffer: Buffer, count: int) -> Buffer:
    """Return the buffer with a leading dimension for its versions."""
    strides = buffer.strides
    if strides:
        strides = (make_op(Mul, strides[0], buffer.shape[0]), *strides)
    return buffer.replace(shape=(IntImm(INT32, count), *buffer.shape), strides=strides)


class _AddressArguments(NamedTuple):
    """Positions of buffer data among the arguments of a call, and the unit of the offset after each."""

    positions: tuple[int, ...]
    #: whether the offset counts fragments instead of elements
    counts_fragments: bool = False
    #: distance from the data argument to its offset
    distance: int = 1


#: calls that take the address of a buffer and an offset
_ADDRESS_ARGUMENTS: Final[Mapping[str, _AddressArguments]] = {
    "tir.tvm_load_matrix_sync": _AddressArguments((0,), counts_fragments=True, distance=4),
    "tir.tvm_store_matrix_sync": _AddressArguments((0,), counts_fragments=True, distance=4),
    "tir.tvm_fill_fragment": _AddressArguments((0,), counts_fragments=True, distance=4),
    "tir.tvm_mma_sync": _AddressArguments((0, 2, 4, 6), counts_fragments=True),
    "tir.tvm_bmma_sync": _AddressArguments((0, 2, 4, 6), counts_fragments=True),
    "tir.tvm_access_ptr": _AddressArguments((1,)),
    "tir.ptx_mma": _AddressArguments((6, 8, 10)),
    "tir.ptx_ldmatrix": _AddressArguments((3, 5)),
}


class VersionRewriter(AccessRewriter):
    """Rewrite accesses of multi-versioned buffers to the version of the current iteration."""

    def __init__(
        self,
        new_buffers: Mapping[Buffer, Buffer],
        iteration: Expr,
        fragments: Mapping[Var, Fragment],
        *,
        shows_all: bool,
    ) -> None:
        super().__init__()
        self.new_buffers = new_buffers
        self.renamed.update(new_buffers.items())
        self.by_data = {old.data: old for old in new_buffers}
        self.iteration = iteration
        self.fragments = fragments
        #: whether regions of blocks cover all versions instead of the version of the iteration
        self.shows_all = shows_all

    def version(self, new: Buffer) -> Expr:
        """Return the index of the version of the iteration."""
        return make_op(FloorMod, self.iteration, new.shape[0])

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        new_buffer = self.new_buffers.get(node.buffer)
        return indices if new_buffer is None else (self.version(new_buffer), *indices)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        new_buffer = self.new_buffers.get(node.buffer)
        if new_buffer is None:
            return self.descend(node)
        if self.shows_all:
            version = Range.from_min_extent(IntImm(new_buffer.shape[0].dtype, 0), new_buffer.shape[0])
        else:
            first = self.version(new_buffer)
            version = Range.from_min_extent(first, IntImm(first.dtype, 1))
        return BufferRegion(new_buffer, (version, *self.value(node.region)), span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        new_call = self.descend(node)
        rule = _ADDRESS_ARGUMENTS.get(getattr(node.op, "name", ""))
        if rule is None:
            return new_call
        args: list[Any] = list(new_call.args)
        for position in rule.positions:
            old = self.by_data.get(args[position])
            if old is not None:
                index = position + rule.distance
                args[index] = self.offset(old, args[index], counts_fragments=rule.counts_fragments)
        return new_call if args == list(new_call.args) else new_call.replace(args=tuple(args))

    def offset(self, old: Buffer, offset: Expr, *, counts_fragments: bool) -> Expr:
        """Return the offset into the version for an offset into the buffer."""
        new = self.new_buffers[old]
        size: Expr = IntImm(INT32, 1)
        for extent in old.shape:
            size = make_op(Mul, size, extent)
        if counts_fragments:
            fragment = self.fragments.get(old.data)
            if fragment is not None:
                size = make_op(FloorDiv, size, fragment.size)
        elif new.strides:
            size = new.strides[0]
        return make_op(Add, offset, make_op(Mul, self.version(new), size))
