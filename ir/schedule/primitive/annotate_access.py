"""Manual read and write regions of blocks: annotate_buffer_access, unsafe_hide_buffer_access. They are not checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.core import WrongType
from tvmscript.ir.schedule.errors import ScheduleError
from tvmscript.ir.schedule.instruction import Promises
from tvmscript.ir.schedule.random_variables import BlockRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.rewrite.replace_buffer import Side, region_at, regions_of, require_buffer_index
from tvmscript.ir.schedule.tree import StmtRef
from tvmscript.ir.tir import Block, Buffer, BufferRegion, Expr, Range, as_expr, match_types

_SIDES: dict[str, Side] = {"read": "read", "write": "write"}


class BufTypeError(ScheduleError, code="TS4166"):
    """`buf_type` must be "read" or "write"."""

    message = 'buf_type must be "read" or "write", not {kind}'


class InvalidIndexError(ScheduleError, code="TS4167"):
    """An index in the list is out of range for the read or write regions of the block."""

    message = "index {index} is out of range: block {block} has {count} {side} regions"


def _normalize_side(sch: Recorder, values: dict[str, Any], kind: Any) -> Any:
    """Return the index of the side, as in traces: 0 for read, 1 for write."""
    return list(_SIDES).index(kind) if kind in _SIDES else kind


def _normalize_ranges(sch: Recorder, values: dict[str, Any], ranges: Any) -> Any:
    """Return an index map from the axes of the block to the two ends of each range."""
    if isinstance(ranges, IndexMap):
        return ranges
    block = sch.block(values["block"]).block
    variables = [axis.var.replace() for axis in block.iter_vars]
    region = ranges(*variables)
    items = list(region) if isinstance(region, (tuple, list)) else [region]
    if items and len(items) == 2 * _region_rank(block, values) and all(isinstance(item, (Expr, int)) for item in items):
        # pairs of ends, flattened as in traces
        items = [*zip(items[::2], items[1::2], strict=True)]
    ends: list[Expr] = []
    for item in items:
        pair = tuple(item) if isinstance(item, (tuple, list)) else (item, as_expr(item) + 1)
        if len(pair) != 2:
            raise WrongType(where="a range", expected="an index, or a first one and an end", got=repr(item))
        ends += match_types(as_expr(pair[0]), as_expr(pair[1]))
    return IndexMap(tuple(variables), tuple(ends))


def _region_rank(block: Block, values: dict[str, Any]) -> int:
    """Return the rank of the buffer; 0 if the arguments select none."""
    index, kind = values["buffer_index"], values["buf_type"]
    regions = regions_of(block, list(_SIDES.values())[kind]) if kind in range(len(_SIDES)) else ()
    return len(regions[index].region) if isinstance(index, int) and 0 <= index < len(regions) else 0


class Accesses(Recorder):
    """Annotations."""

    @primitive(
        "AnnotateBufferAccess",
        inputs=("block", "buffer_index", "buf_type", "gen_new_ranges"),
        normal={"buf_type": _normalize_side, "gen_new_ranges": _normalize_ranges},
        promises=Promises(keeps_values=False),  # later passes trust the regions of a block
    )
    def annotate_buffer_access(
        self,
        block: BlockRV | str,
        buffer_index: int | str | Buffer,
        buf_type: str | int,
        gen_new_ranges: Callable[..., Any] | IndexMap,
    ) -> None:
        """Replace a read or write region of a block, and annotate that it is explicit.

        `gen_new_ranges` is a function of the axes of the block: for each dimension an index, or a pair of begin and
        end. From TVM 0.27. Raises `BufTypeError`, `BufferIndexOutOfRangeError`, `WrongType`.
        """
        ref, kinds = self.block(block), list(_SIDES)
        if buf_type not in range(len(kinds)):
            raise BufTypeError(kind=repr(buf_type), at=[ref.block])
        side = _SIDES[kinds[int(buf_type)]]
        _annotate(ref, require_buffer_index(buffer_index), side, gen_new_ranges)

    @primitive(
        "UnsafeHideBufferAccess", inputs=("block", "buf_type", "buf_index_array"), promises=Promises(keeps_values=False)
    )
    def unsafe_hide_buffer_access(self, block: BlockRV | str, buf_type: str, buf_index_array: Sequence[int]) -> None:
        """Remove read or write regions of a block, given by their indices.

        Raises `BufTypeError`, `InvalidIndexError`.
        """
        ref = self.block(block)
        if buf_type not in _SIDES:
            raise BufTypeError(kind=repr(buf_type), at=[ref.block])
        side, stmt = _SIDES[buf_type], ref.block
        regions = regions_of(stmt, side)
        for index in buf_index_array:
            if not 0 <= index < len(regions):
                raise InvalidIndexError(block=stmt.name_hint, count=len(regions), side=side, index=index, at=[stmt])
        left = tuple(region for place, region in enumerate(regions) if place not in buf_index_array)
        new_block = stmt.replace(reads=left) if side == "read" else stmt.replace(writes=left)
        ref.tree.replace(ref, new_block, {new_block: stmt})


def _annotate(ref: StmtRef, index: int, side: Side, ranges: Callable[..., Any] | IndexMap) -> None:
    old, stmt = region_at(ref, index, side), ref.block
    if not isinstance(ranges, IndexMap) or len(ranges.final_indices) != 2 * len(old.region):
        expected = f"{len(old.region)} ranges, one for each dimension of {old.buffer.name}"
        raise WrongType(where="annotate_buffer_access", expected=expected, got=str(ranges))
    ends = ranges.at([axis.var for axis in stmt.iter_vars])
    analyzer = Analyzer()
    parts = [
        Range.from_min_extent(low, analyzer.simplify(fold.sub(high, low)))
        for low, high in zip(ends[::2], ends[1::2], strict=True)
    ]
    regions = list(regions_of(stmt, side))
    regions[index] = BufferRegion(old.buffer, tuple(parts))
    key = f"explicit_{side}_region"
    explicit = [getattr(item, "value", item) for item in stmt.annotations.get(key, [])]
    annotations = {**stmt.annotations, key: [*explicit, *([] if index in explicit else [index])]}
    new_regions = {"reads" if side == "read" else "writes": tuple(regions)}
    new_block = stmt.replace(annotations=annotations, **new_regions)
    ref.tree.replace(ref, new_block, {new_block: stmt})
