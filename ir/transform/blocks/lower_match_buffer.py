"""Replace matched buffers by the buffers whose regions they match."""

from __future__ import annotations

from dataclasses import dataclass

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.buffer_layout import flat_index, index_add, row_major_strides
from tvmscript.ir.arith.fold import cast
from tvmscript.ir.core import on
from tvmscript.ir.tir import AccessRewriter, Block, Buffer, BufferStore, Expr, For, MatchBufferRegion, PrimFunc, Var
from tvmscript.ir.tir.expr import BufferLoad, BufferRegion, IntImm, Mod, Range
from tvmscript.ir.transform.base import PrimFuncPass
from tvmscript.ir.transform.errors import CannotMatch


class _MatchLowering(AccessRewriter):
    def __init__(self) -> None:
        super().__init__()
        #: matched buffer -> its region, in terms of buffers that are not matched
        self.regions: dict[Buffer, BufferRegion] = {}
        self.analyzer = Analyzer()
        #: enclosing loops that are not bound in the analyzer yet
        self.loops: list[For] = []

    @on(Block)
    def block(self, node: Block) -> Block:
        if not node.match_buffers:
            return self.descend(node)
        # definitions of a match end with the block: the same block may occur in another place
        outer = self.regions, self.renamed
        self.regions, self.renamed = dict(self.regions), dict(self.renamed)
        for match in node.match_buffers:
            self.match(match)
        new_block = self.descend(node.replace(match_buffers=()))
        self.regions, self.renamed = outer
        return new_block

    @on(For)
    def loop(self, node: For) -> For:
        self.loops.append(node)
        new_loop = self.descend(node)
        if self.loops:
            self.loops.pop()
        return new_loop

    def map_indices(self, node: BufferLoad | BufferStore, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
        region = self.regions.get(node.buffer)
        return indices if region is None else _indices(region, indices)

    @on(BufferRegion)
    def region(self, node: BufferRegion) -> BufferRegion:
        source = self.regions.get(node.buffer)
        if source is None:
            return self.descend(node)
        leading = len(source.region) - len(node.region)
        inner = tuple(
            Range.from_min_extent(
                index_add(whole.min, part.min), cast(index_add(whole.min, part.min).dtype, part.extent)
            )
            for whole, part in zip(source.region[leading:], self.value(node.region), strict=True)
        )
        return BufferRegion(source.buffer, source.region[:leading] + inner, span=node.span)

    def match(self, match: MatchBufferRegion) -> None:
        """Define the variables of a matched buffer by its region. Raises `CannotMatch`."""
        for loop in self.loops:
            self.analyzer.bind(loop.loop_var, Range.from_min_extent(loop.min, loop.extent), allow_override=True)
        self.loops.clear()
        buffer, source = match.buffer, self.region(match.source)
        origin = source.buffer
        leading = len(source.region) - len(buffer.shape)
        if any(not self.analyzer.can_prove_equal(part.extent, 1) for part in source.region[:leading]):
            raise self.error(match, f"the first {leading} extents of the region must be 1")
        self.regions[buffer] = source
        self.renamed.update({buffer: origin, buffer.data: origin.data})
        offset = self.analyzer.simplify(flat_index(origin, [part.min for part in source.region]))
        self.match_value(match, buffer.elem_offset, offset, "elem_offset")
        factor = IntImm(offset.dtype, buffer.offset_factor)
        if buffer.offset_factor > 1 and not self.analyzer.can_prove_equal(Mod(offset, factor), 0):
            raise self.error(match, f"elem_offset is not provably a multiple of {buffer.offset_factor}")
        if len(buffer.strides) not in (0, len(buffer.shape)):
            raise self.error(match, f"it has {len(buffer.shape)} dimensions, but {len(buffer.strides)} strides")
        strides = origin.strides or row_major_strides(origin.shape)
        for axis, stride in enumerate(buffer.strides):
            self.match_value(match, stride, strides[leading + axis], f"stride {axis}")
        for axis, extent in enumerate(buffer.shape):
            self.match_value(match, extent, source.region[leading + axis].extent, f"extent {axis}")

    def match_value(self, match: MatchBufferRegion, part: Expr, value: Expr, field: str) -> None:
        """Define `part` if it is a free variable, otherwise check it. Raises `CannotMatch`."""
        if isinstance(part, Var) and part not in self.renamed:
            self.renamed[part] = cast(part.dtype, value)
        # elem_offset is 0 where none was given
        elif not (field == "elem_offset" and isinstance(part, IntImm) and part.value == 0):
            expected = self.rewrite(part)
            if not self.analyzer.can_prove_equal(expected, cast(expected.dtype, value)):
                raise self.error(match, f"{field} is {part}, but the region has {value}")

    def error(self, match: MatchBufferRegion, reason: str) -> CannotMatch:
        return CannotMatch(
            buffer=match.buffer.name, source=match.source.buffer.name, reason=reason, span=match.source.span
        )


def _indices(region: BufferRegion, indices: tuple[Expr, ...]) -> tuple[Expr, ...]:
    leading = len(region.region) - len(indices)
    inner = zip(region.region[leading:], indices, strict=True)
    return tuple(part.min for part in region.region[:leading]) + tuple(index_add(p.min, index) for p, index in inner)


@dataclass(frozen=True)
class LowerMatchBuffer(PrimFuncPass):
    """Replace accesses of matched buffers by accesses of the source buffers, and remove `T.match_buffer` from blocks.

    Strides, offset and extents of a matched buffer that are variables get the values of the region.
    Raises `CannotMatch` if the region does not have the declared layout.

    rewrite:
        B = T.match_buffer(A[i * 4:i * 4 + 4], (4,), offset_factor=1)
        B[j] = 0.0                                                      -->     A[i * 4 + j] = 0.0
    """

    name = "tir.LowerMatchBuffer"
    is_idempotent = True
    looks_for = frozenset({"match_buffers"})

    def transform(self, func: PrimFunc) -> PrimFunc:
        return func.with_body(_MatchLowering().rewrite(func.body))
