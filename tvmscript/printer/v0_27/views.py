"""Views of buffers as 0.27 writes them: `A.view(512)`, `A.view("int8")`, `A.permute(1, 0)`, `A.local(2)`."""

from __future__ import annotations

from typing import Any

from tvmscript.ir.arith import tile_layouts as layouts
from tvmscript.ir.arith.buffer_layout import product
from tvmscript.ir.arith.value_numbering import expr_deep_equal
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import WrongType
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IntImm
from tvmscript.printer.printer import Printer


def view_text(p: Printer, buffer: Buffer) -> str | None:
    """Return the text of a buffer that is only a view of another one, None if it is not."""
    text = p.names.get(buffer.data, "")
    owner = p.owners.get(buffer.data)
    if (
        owner is None
        or text != f"{p.names.get(owner)}.data"
        or not buffer.shape
        or not _is_at_same_memory(owner, buffer)
    ):
        return None
    if owner.dtype is not buffer.dtype:
        is_scaled = _has_other_dtype(owner, buffer) and _has_scaled_layout(owner, buffer)
        call = f'view("{p.spelling.dtype(buffer.dtype)}")' if is_scaled else None
    elif _same_shape(owner, buffer):
        call = None
    elif owner.is_flat:
        call = f"view({p.exprs(buffer.shape)})" if _has_as_many_elements(owner, buffer) else None
    else:
        call = _permuted(owner, buffer) or _part_of_thread(p, owner, buffer) or _reshaped(p, owner, buffer)
    return None if call is None else f"{p.names[owner]}.{call}"


def _is_at_same_memory(owner: Buffer, buffer: Buffer) -> bool:
    """Whether the buffers differ in nothing but shape, dtype and layout."""
    return (
        not (owner.strides or buffer.strides or buffer.allocated_addr or buffer.axis_separators)
        and expr_deep_equal(owner.elem_offset, buffer.elem_offset)
        and (owner.dtype is buffer.dtype or _begins_at_zero(buffer))
        and owner.data_alignment == buffer.data_alignment
        and owner.offset_factor == buffer.offset_factor
        and buffer.buffer_type == "default"
        and owner.is_flat is buffer.is_flat
    )


def _begins_at_zero(buffer: Buffer) -> bool:
    offset = buffer.elem_offset
    return isinstance(offset, IntImm) and offset.value == 0 and offset.dtype is buffer.index_dtype


def _same_shape(owner: Buffer, buffer: Buffer) -> bool:
    return len(owner.shape) == len(buffer.shape) and all(map(expr_deep_equal, owner.shape, buffer.shape))


def _has_other_dtype(owner: Buffer, buffer: Buffer) -> bool:
    """Whether the buffer has another dtype, and the last extent that follows from it."""
    old, new = [item.dtype.bits * item.dtype.lanes for item in (owner, buffer)]
    if len(owner.shape) != len(buffer.shape) or owner.dtype.is_bool or buffer.dtype.is_bool:
        return False
    *others, last = owner.shape
    *same, scaled = buffer.shape
    if not isinstance(last, IntImm) or not isinstance(scaled, IntImm) or last.value * old != scaled.value * new:
        return False
    return last.dtype is scaled.dtype and all(map(expr_deep_equal, others, same))


def _has_scaled_layout(owner: Buffer, buffer: Buffer) -> bool:
    """Whether the layout is the one that follows from the dtype."""
    layout: Any = owner.layout
    if layout is None or buffer.layout is None:
        return layout is buffer.layout
    old, new = [item.dtype.bits * item.dtype.lanes for item in (owner, buffer)]
    try:
        scaled = layouts.unpack(layout, old // new) if old % new == 0 else layouts.pack(layout, new // old)
    except WrongType:
        return False
    return structural_equal(scaled, buffer.layout)


def _has_as_many_elements(owner: Buffer, buffer: Buffer) -> bool:
    owner_size, size = _size(owner), _size(buffer)
    if owner_size is None or size is None:
        return len(buffer.shape) == 1 and expr_deep_equal(buffer.shape[0], product(owner.shape))
    return owner_size == size


def _size(buffer: Buffer) -> int | None:
    total = 1
    for extent in buffer.shape:
        if not isinstance(extent, IntImm):
            return None
        total *= extent.value
    return total


def _layout_of(buffer: Buffer) -> Any:
    return layouts.row_major(buffer.shape) if buffer.layout is None else buffer.layout


def _permuted(owner: Buffer, buffer: Buffer) -> str | None:
    """Return the call that reorders the dimensions, None if they are not the same or their order is not clear."""
    count = len(owner.shape)
    layout, wanted = _layout_of(owner), _layout_of(buffer)
    if len(buffer.shape) != count or any(len(item.shard) != count for item in map(_tiles, (layout, wanted))):
        return None
    order: list[int] = []
    for extent, part in zip(buffer.shape, _tiles(wanted).shard, strict=True):
        places = [
            place
            for place, (other, iter_) in enumerate(zip(owner.shape, _tiles(layout).shard, strict=True))
            if place not in order and expr_deep_equal(other, extent) and structural_equal(iter_, part)
        ]
        if not places:
            return None
        order.append(places[0])
    moved = layouts.on_tiles(layout, lambda tiles: layouts.permute_dims(tiles, order))
    return f"permute({', '.join(map(str, order))})" if structural_equal(moved, wanted) else None


def _tiles(layout: layouts.Layout) -> layouts.TileLayout:
    return layout.tile_layout if isinstance(layout, layouts.ComposeLayout) else layout


def _part_of_thread(p: Printer, owner: Buffer, buffer: Buffer) -> str | None:
    """Return the call for the part of a buffer that a thread has, None if the owner is not shared out to threads."""
    layout = _layout_of(owner)
    if all(part.axis in layouts.MEMORY_AXES for part in (*_tiles(layout).shard, *_tiles(layout).replica)):
        return None
    shape = p.exprs(buffer.shape)
    if buffer.layout is None and layouts.same(_count(buffer.shape), layouts.span(layouts.storage(layout))):
        return f"local({shape if len(buffer.shape) > 1 else ''})"
    return f"local({shape}, layout={p.expr(_layout_of(buffer))})"


def _count(shape: tuple[Expr, ...]) -> Expr:
    return layouts.size(layouts.row_major(shape))


def _reshaped(p: Printer, owner: Buffer, buffer: Buffer) -> str:
    shape = p.exprs(buffer.shape)
    is_same = owner.layout is buffer.layout or (
        owner.layout is not None and buffer.layout is not None and structural_equal(owner.layout, buffer.layout)
    )
    return f"view({shape})" if is_same else f"view({shape}, layout={p.expr(_layout_of(buffer))})"
