"""Buffers of a software pipeline: how many versions each needs, and accesses of the version of an iteration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.dtype import INT32
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import (
    LE,
    Add,
    BinaryOp,
    BufferLoad,
    BufferRegion,
    Call,
    FloorDiv,
    FloorMod,
    IntImm,
    Mul,
    Range,
    Sub,
)
from tvmscript.ir.tir.operators import match_types
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BufferStore, For
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.tensor_cores.common.fragments import Fragment


@dataclass(eq=False)
class Component:
    """A statement of a pipeline's body, as a block: it works on iteration i while stage 0 works on i + stage."""

    block: Block
    stage: int
    #: its place among the others in the pipelined loop
    order: int
    #: its copies are started, and waited for where they are needed
    is_async: bool


def versions_needed(buffer: Buffer, components: list[Component], doubled: Iterable[Buffer]) -> int:
    """How many iterations of the pipeline use the buffer at a time.

    A buffer that stage a writes and stage b reads is alive in b - a + 1 iterations. One of two is enough where nobody
    writes an element before, in the same iteration of the pipelined loop, a later stage reads what was there.
    """
    writers = [each for each in components if _region(each.block.writes, buffer) is not None]
    readers = [each for each in components if _region(each.block.reads, buffer) is not None]
    if not writers:
        return 1
    last = max([each.stage for each in readers], default=-1)
    count = last - min(each.stage for each in writers) + 1
    if count == 2 and not any(_overtakes(writer, reader, buffer) for writer in writers for reader in readers):
        count = 1
    return 2 if count == 1 and buffer in doubled else max(count, 1)


def _region(regions: tuple[BufferRegion, ...], buffer: Buffer) -> BufferRegion | None:
    return next((each for each in regions if each.buffer is buffer), None)


def _overtakes(writer: Component, reader: Component, buffer: Buffer) -> bool:
    """Whether elements are written, for a later iteration, before an earlier iteration reads them."""
    if not (writer.order < reader.order and writer.stage < reader.stage):
        return False
    written, read = _region(writer.block.writes, buffer), _region(reader.block.reads, buffer)
    assert written is not None
    assert read is not None
    analyzer = Analyzer()
    return not any(_apart(a, b, analyzer) for a, b in zip(written.region, read.region, strict=True))


def _apart(a: Range, b: Range, analyzer: Analyzer) -> bool:
    """Whether two ranges are known to have nothing in common."""
    return any(
        analyzer.can_prove(LE(*match_types(of(Add, one.min, one.extent), other.min))) for one, other in ((a, b), (b, a))
    )


def of(cls: type[BinaryOp], a: Expr | int, b: Expr | int) -> Expr:
    """The operation with operands of one dtype, folded."""
    return fold.make(cls, *match_types(a, b))


def versioned(buffer: Buffer, count: int) -> Buffer:
    """The buffer with a first dimension for its versions."""
    strides = buffer.strides
    if strides:
        strides = (of(Mul, strides[0], buffer.shape[0]), *strides)
    return buffer.replace(shape=(IntImm(INT32, count), *buffer.shape), strides=strides)


class _Opaque(NamedTuple):
    """Where a call has the data of buffers, and what the offset that follows each counts."""

    positions: tuple[int, ...]
    #: whole fragments rather than elements
    counts_fragments: bool = False
    #: from the data to its offset
    distance: int = 1


#: Calls that take the address of a buffer and an offset.
_OPAQUE: Final[Mapping[str, _Opaque]] = {
    "tir.tvm_load_matrix_sync": _Opaque((0,), counts_fragments=True, distance=4),
    "tir.tvm_store_matrix_sync": _Opaque((0,), counts_fragments=True, distance=4),
    "tir.tvm_fill_fragment": _Opaque((0,), counts_fragments=True, distance=4),
    "tir.tvm_mma_sync": _Opaque((0, 2, 4, 6), counts_fragments=True),
    "tir.tvm_bmma_sync": _Opaque((0, 2, 4, 6), counts_fragments=True),
    "tir.tvm_access_ptr": _Opaque((1,)),
    "tir.ptx_mma": _Opaque((6, 8, 10)),
    "tir.ptx_ldmatrix": _Opaque((3, 5)),
}


class Versions(TirRewriter):
    """Lets every access of a versioned buffer use the version of the pipeline's iteration."""

    def __init__(
        self,
        made: Mapping[Buffer, Buffer],
        loop: For,
        fragments: Mapping[Var, Fragment],
        *,
        shows_all: bool,
    ) -> None:
        super().__init__()
        self.made = made
        self.by_data = {old.data: old for old in made}
        self.passed = of(Sub, loop.loop_var, loop.min)
        self.fragments = fragments
        #: whether regions of blocks are stated for all versions, not for that of the iteration alone
        self.shows_all = shows_all

    def version(self, new: Buffer) -> Expr:
        """The version that belongs to the iteration."""
        return of(FloorMod, self.passed, new.shape[0])

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        loaded = super().load(node)
        new = self.made.get(node.buffer)
        if new is None or not isinstance(loaded, BufferLoad):
            return loaded
        return BufferLoad(new, (self.version(new), *loaded.indices), loaded.predicate, span=node.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        stored = super().store(node)
        new = self.made.get(node.buffer)
        if new is None or not isinstance(stored, BufferStore):
            return stored
        indices = (self.version(new), *stored.indices)
        return BufferStore(new, stored.value, indices, stored.predicate, span=node.span)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        stated = self.descend(node)
        new = self.made.get(node.buffer)
        if new is None:
            return stated
        if self.shows_all:
            version = Range.from_min_extent(IntImm(new.shape[0].dtype, 0), new.shape[0])
        else:
            first = self.version(new)
            version = Range.from_min_extent(first, IntImm(first.dtype, 1))
        return BufferRegion(new, (version, *stated.region), span=node.span)

    @on(Call)
    def call(self, node: Call) -> Expr:
        made = self.descend(node)
        rule = _OPAQUE.get(getattr(node.op, "name", ""))
        if rule is None:
            return made
        args: list[Any] = list(made.args)
        for position in rule.positions:
            old = self.by_data.get(args[position])
            if old is not None:
                place = position + rule.distance
                args[place] = self.offset(old, args[place], counts_fragments=rule.counts_fragments)
        return made if all(a is b for a, b in zip(args, made.args, strict=True)) else made.replace(args=tuple(args))

    def offset(self, old: Buffer, offset: Expr, *, counts_fragments: bool) -> Expr:
        """An offset into the buffer as one into the version."""
        new = self.made[old]
        size: Expr = IntImm(INT32, 1)
        for extent in old.shape:
            size = of(Mul, size, extent)
        if counts_fragments:
            fragment = self.fragments.get(old.data)
            if fragment is not None:
                size = of(FloorDiv, size, fragment.size)
        elif new.strides:
            size = new.strides[0]
        return of(Add, offset, of(Mul, self.version(new), size))
