"""Buffers that stand for a region of another one are replaced by it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import flat_index, index_add, row_major_strides
from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core.visit import on
from tvmscript.ir.tir.base import Expr, Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, Mod, Range
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.rewrite import TirRewriter
from tvmscript.ir.tir.stmt import Block, BufferStore, For, MatchBufferRegion
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import CannotMatch


class _Lowering(TirRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: matched buffer -> what it stands for, itself free of matched buffers
        self.regions: dict[Buffer, BufferRegion] = {}
        self.analyzer = Analyzer()
        #: loops around the statement at hand that the analyzer does not know yet
        self.loops: list[For] = []

    @on(Block)
    def block(self, node: Block) -> Block:
        if not node.match_buffers:
            return self.descend(node)
        # what matching defines is known inside alone: the same block may be entered from another place
        outer = self.regions, self.renamed
        self.regions, self.renamed = dict(self.regions), dict(self.renamed)
        for match in node.match_buffers:
            self.match(match)
        made = self.descend(node.replace(match_buffers=()))
        self.regions, self.renamed = outer
        return made

    @on(For)
    def loop(self, node: For) -> For:
        self.loops.append(node)
        made = self.descend(node)
        if self.loops:
            self.loops.pop()
        return made

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> Expr:
        made = super().load(node)
        region = self.regions.get(node.buffer)
        if region is None or not isinstance(made, BufferLoad):
            return made
        return BufferLoad(region.buffer, _indices(region, made.indices), made.predicate, span=made.span)

    @on(BufferStore)
    def store(self, node: BufferStore) -> Stmt:
        made = super().store(node)
        region = self.regions.get(node.buffer)
        if region is None or not isinstance(made, BufferStore):
            return made
        return BufferStore(region.buffer, made.value, _indices(region, made.indices), made.predicate, span=made.span)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        made = self.descend(node)
        source = self.regions.get(node.buffer)
        if source is None:
            return made
        leading = len(source.region) - len(made.region)
        inner = tuple(
            Range.from_min_extent(
                index_add(whole.min, part.min), cast(index_add(whole.min, part.min).dtype, part.extent)
            )
            for whole, part in zip(source.region[leading:], made.region, strict=True)
        )
        return BufferRegion(source.buffer, source.region[:leading] + inner, span=made.span)

    def match(self, match: MatchBufferRegion) -> None:
        """From here on the matched buffer's parts have the values that the region gives them."""
        for loop in self.loops:
            self.analyzer.bind(loop.loop_var, Range.from_min_extent(loop.min, loop.extent), allow_override=True)
        self.loops.clear()
        buffer, source = match.buffer, self.region(match.source)
        origin = source.buffer
        if buffer.dtype is not origin.dtype:
            raise self.refusal(match, f"its elements are {buffer.dtype}, not {origin.dtype}")
        if buffer.storage_scope != origin.storage_scope:
            raise self.refusal(match, f"it is in scope {buffer.storage_scope}, not {origin.storage_scope}")
        leading = len(source.region) - len(buffer.shape)
        if leading < 0:
            raise self.refusal(match, f"it has {len(buffer.shape)} dimensions, the region {len(source.region)}")
        if any(not self.analyzer.can_prove_equal(part.extent, 1) for part in source.region[:leading]):
            raise self.refusal(match, f"the first {leading} extents of the region must be 1")
        self.regions[buffer] = source
        self.renamed[buffer.data] = origin.data
        offset = self.analyzer.simplify(flat_index(origin, [part.min for part in source.region]))
        self.give(match, buffer.elem_offset, offset, "elem_offset")
        factor = IntImm(offset.dtype, buffer.offset_factor)
        if buffer.offset_factor > 1 and not self.analyzer.can_prove_equal(Mod(offset, factor), 0):
            raise self.refusal(match, f"its offset is not known to be a multiple of {buffer.offset_factor}")
        strides = origin.strides or row_major_strides(origin.shape)
        for axis, stride in enumerate(buffer.strides):
            self.give(match, stride, strides[leading + axis], f"stride {axis}")
        for axis, extent in enumerate(buffer.shape):
            self.give(match, extent, source.region[leading + axis].extent, f"extent {axis}")

    def give(self, match: MatchBufferRegion, part: Expr, value: Expr, what: str) -> None:
        """Define a variable by matching, check anything else. Raises `CannotMatch`."""
        if isinstance(part, Var) and part not in self.renamed:
            self.renamed[part] = cast(part.dtype, value)
        # an offset of 0 is what a buffer has where nothing is said about it
        elif not (what == "elem_offset" and isinstance(part, IntImm) and part.value == 0):
            wanted = self.rewrite(part)
            if not self.analyzer.can_prove_equal(wanted, cast(wanted.dtype, value)):
                raise self.refusal(match, f"{what} is {part}, the region has {value}")

    def refusal(self, match: MatchBufferRegion, reason: str) -> CannotMatch:
        return CannotMatch(
            buffer=match.buffer.name, source=match.source.buffer.name, reason=reason, span=match.source.span
        )


def _indices(region: BufferRegion, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
    leading = len(region.region) - len(indices)
    inner = zip(region.region[leading:], indices, strict=True)
    return tuple(part.min for part in region.region[:leading]) + tuple(index_add(p.min, index) for p, index in inner)


@dataclass(frozen=True)
class LowerMatchBuffer(PrimFuncPass):
    """No block matches buffers: accesses go to the buffer whose region was matched.

    Strides, offset and extents of the matched buffer that are variables get the values of the region.
    Raises `CannotMatch` where the region cannot be what the matched buffer says.

    rewrite:
        B = T.match_buffer(A[i * 4:i * 4 + 4], (4,), offset_factor=1)
        B[j] = 0.0                                                      -->     A[i * 4 + j] = 0.0
    """

    name: ClassVar[str] = "tir.LowerMatchBuffer"

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_Lowering().rewrite(func.body))
