"""Views of buffers in 0.27: `A.view(512)`, `A.permute(1, 0)`, `A.sub[2, 4:8]`, `A.tile(0, (4, -1))[i, :]`, ...

Each step declares a buffer at the memory of the one before. The layout says where the elements lie.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import prod
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith import tile_layouts as layouts
from tvmscript.ir.core import DType, Span, WrongType
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.tir import Buffer, Expr, IntImm, operators
from tvmscript.ir.tir import expr as nodes
from tvmscript.ir.tir.buffer import subscript
from tvmscript.ir.tir.stmt import DeclBuffer
from tvmscript.ir.tir.tile import MEMORY, ComposeLayout, LayoutIter, LayoutOffset, TileLayout
from tvmscript.parser.builtins.argument_checks import extent_of, integer, text
from tvmscript.parser.diagnostics.errors import NoCounterpart
from tvmscript.parser.frames import KernelReader, Wrapper
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.tir.buffer_spec import BufferSpec
from tvmscript.parser.tir.builtins.constructors import as_dtype
from tvmscript.parser.v0_27.buffer_layouts import placed
from tvmscript.parser.v0_27.unsupported_names import TILE


def declared(buffer: Buffer, span: Span) -> Wrapper:
    """Return the frame of the declaration of a buffer, for the rest of the body."""
    return Wrapper(buffer, span, lambda body: DeclBuffer(buffer, body, span=span))


def _view(owner: Buffer, span: Span, shape: Sequence[object], **changes: object) -> Buffer:
    """Return a buffer at the memory of another one. The layout of the other one stays unless it is given."""
    given: dict[str, Any] = changes
    keeps = "layout" not in given
    spec = BufferSpec(
        tuple(shape),
        given.get("dtype", owner.dtype),
        owner.data,
        owner.strides,
        given.get("elem_offset", owner.elem_offset),
        owner.storage_scope,
        owner.data_alignment,
        owner.offset_factor,
        layout=owner.layout if keeps else None,
        is_flat=owner.is_flat and keeps,
    )
    return (spec if keeps else placed(spec, given["layout"], None, span)).make(span)


def _declare(parser: KernelReader, view: Buffer, span: Span) -> Buffer:
    """Declare a view for the rest of the body. Its name is that of the first variable it is bound to."""
    parser.open(declared(view, span))
    return view


def _layout_of(owner: Buffer, span: Span) -> layouts.Layout:
    """Return the layout of a buffer. Raises `NoCounterpart`."""
    if owner.is_flat or owner.strides:
        raise NoCounterpart(name="this view of a buffer without a layout", place=TILE, span=span)
    layout: Any = owner.layout
    return layouts.row_major(owner.shape) if layout is None else layout


def view(owner: Buffer, parser: KernelReader, span: Span, *shape: Any, layout: object = None) -> Buffer:
    """Declare a view with another shape, `A.view(512)`, or with another dtype, `A.view("int8")`."""
    return _declare(parser, _viewed(owner, span, shape, layout), span)


def _viewed(owner: Buffer, span: Span, shape: Sequence[Any], layout: object = None) -> Buffer:
    if len(shape) == 1 and isinstance(shape[0], str):
        return _as_dtype(owner, as_dtype(shape[0]), span)
    if layout is not None:
        return _view(owner, span, shape, layout=layout)
    if any(isinstance(item, int) and item < 0 for item in shape):
        shape = _inferred(owner, shape, span)
    return _view(owner, span, shape)


def _inferred(owner: Buffer, shape: Sequence[object], span: Span) -> tuple[object, ...]:
    """Return a shape with its only negative extent computed. Raises `WrongType`."""
    given_extents = [item for item in shape if not (isinstance(item, int) and item < 0)]
    sizes = [item.value if isinstance(item, IntImm) else item for item in (*owner.shape, *given_extents)]
    numbers = [item for item in sizes if isinstance(item, int)]
    count = prod(numbers[: len(owner.shape)])
    if (
        len(numbers) != len(sizes)
        or len(given_extents) != len(shape) - 1
        or count % (prod(numbers[len(owner.shape) :]) or 1)
    ):
        expected = "constant extents, one of them -1, that divide the buffer"
        raise WrongType(where=f"{owner.name}.view", expected=expected, got=repr(shape), span=span)
    rest = count // prod(numbers[len(owner.shape) :])
    return tuple([rest if isinstance(item, int) and item < 0 else item for item in shape])


def _as_dtype(owner: Buffer, dtype: DType, span: Span) -> Buffer:
    """Return a buffer reinterpreted as another dtype: the last dimension, the offset and the layout are scaled."""
    if not owner.shape or owner.strides:
        raise NoCounterpart(name="a view of another dtype with strides or without dimensions", place=TILE, span=span)
    old, new = ((8 if item.is_bool else item.bits) * item.lanes for item in (owner.dtype, dtype))
    *others, last = owner.shape
    changes: dict[str, object] = {"dtype": dtype}
    layout: Any = owner.layout
    if old % new == 0:
        change: Callable[[layouts.Layout], layouts.Layout] = partial(layouts.unpack, count=old // new)
        scale: Callable[[Expr], Expr] = partial(_scaled, count=old // new)
    else:
        change = partial(layouts.pack, count=max(new // old, 1))
        scale = partial(_divided, count=max(new // old, 1))
    if layout is not None:
        changes["layout"] = layouts.simplified(change(layout)) if layouts.is_trivial(layout) else change(layout)
    return _view(owner, span, (*others, scale(last)), elem_offset=scale(owner.elem_offset), **changes)


def _scaled(value: Expr, count: int) -> Expr:
    return fold.mul(value, IntImm(value.dtype, count))


def _divided(value: Expr, count: int) -> Expr:
    return fold.make(nodes.FloorDiv, value, IntImm(value.dtype, count))


def permute(owner: Buffer, parser: KernelReader, span: Span, *dims: object) -> Buffer:
    """Declare a view with its dimensions in another order: `A.permute(1, 0)`."""
    return _declare(parser, _permuted(owner, span, dims), span)


def _permuted(owner: Buffer, span: Span, dims: Iterable[object]) -> Buffer:
    order = [integer("permute", item) for item in dims]
    if sorted(order) != list(range(len(owner.shape))):
        expected = f"the numbers of {len(owner.shape)} dimensions"
        raise WrongType(where=f"{owner.name}.permute", expected=expected, got=repr(order), span=span)

    def change(tiles: TileLayout) -> TileLayout:
        return layouts.permute_by_groups(*layouts.group(tiles, owner.shape), order)

    layout = layouts.on_tiles(_layout_of(owner, span), change)
    return _view(owner, span, [owner.shape[item] for item in order], layout=layout)


def local(owner: Buffer, parser: KernelReader, span: Span, *shape: Any, layout: object = None) -> Buffer:
    """Declare the part of a buffer that a thread has, in row-major order unless a layout is given."""
    if shape and layout is not None:
        return _declare(parser, _view(owner, span, shape, layout=layout), span)
    stored = layouts.storage(_layout_of(owner, span))
    count = layouts.span(stored) if layout is None else layouts.size(stored)
    extents = [extent_of("local", item, span) for item in shape] or [count]
    total = layouts.size(layouts.row_major(extents))
    if not layouts.same(total, count):
        raise WrongType(where=f"{owner.name}.local", expected=f"{count} elements", got=total, span=span)
    return _declare(parser, _view(owner, span, extents, layout="default" if layout is None else layout), span)


def rearrange(owner: Buffer, parser: KernelReader, span: Span, pattern: str, **sizes: object) -> Buffer:
    """Declare a view with dimensions split, reordered and joined: `A.rearrange("b (2 r) -> 2 b r")`."""
    left, arrow, right = text("rearrange", pattern).partition("->")
    before, after = _names(left), _names(right)
    flat, wanted = [name for group in before for name in group], [name for group in after for name in group]
    if not arrow or len(before) != len(owner.shape) or sorted(flat) != sorted(wanted):
        expected = f"the same names on both sides of ->, for {len(owner.shape)} dimensions"
        raise WrongType(where=f"{owner.name}.rearrange", expected=expected, got=repr(pattern), span=span)
    extents: dict[str, int] = {}
    for group, extent in zip(before, owner.shape, strict=True):
        given_sizes = {name: integer("rearrange", sizes[name]) for name in group if name in sizes}
        size, rest = prod(given_sizes.values()), [name for name in group if name not in given_sizes]
        whole = integer("rearrange", extent)
        if len(rest) > 1 or whole % size or (not rest and whole != size):
            expected = f"sizes for all but one of {' '.join(group)}, whose product divides {whole}"
            raise WrongType(where=f"{owner.name}.rearrange", expected=expected, got=repr(given_sizes), span=span)
        extents.update(given_sizes)
        extents.update(dict.fromkeys(rest, whole // size))
    split = view(owner, parser, span, *[extents[name] for name in flat])
    moved = permute(split, parser, span, *[flat.index(name) for name in wanted])
    return view(moved, parser, span, *[prod([extents[name] for name in group]) for group in after])


def _names(side: str) -> list[list[str]]:
    """Return the names of each dimension: `a (b c)`."""
    return [group.split() if group else [name] for group, name in re.findall(r"\(([^)]*)\)|(\S+)", side)]


# parts


def sub(owner: Buffer, parser: KernelReader, span: Span, index: object) -> Buffer:
    """Declare a view of a part: `A.sub[2, 4:8, ::4]`. An integer drops its dimension."""
    items = index if isinstance(index, tuple) else (index,)
    if len(items) > len(owner.shape):
        expected = f"at most {len(owner.shape)} indices"
        raise WrongArgumentCount(where=f"{owner.name}.sub", expected=expected, got=len(items), span=span)
    steps = _Steps(owner, parser, span)
    dim = 0
    for item in items:
        if not isinstance(item, slice):
            steps.take(partial(_dropped, dim=dim, index=operators.as_expr(item, None, span)))
            continue
        step = 1 if item.step is None else integer("sub", item.step)
        extent = steps.buffer.shape[dim]
        if step > 1:
            count = integer("sub", extent)
            if item.stop is not None or count % step:
                expected = f"a step that divides {count}, without an end"
                raise WrongType(where=f"{owner.name}.sub", expected=expected, got=repr(step), span=span)
            before, after = steps.buffer.shape[:dim], steps.buffer.shape[dim + 1 :]
            steps.take(partial(_viewed, shape=(*before, count // step, step, *after)))
            start = operators.as_expr(0 if item.start is None else item.start, None, span)
            steps.take(partial(_dropped, dim=dim + 1, index=start))
        elif item.start is not None or item.stop is not None:
            start = operators.as_expr(0 if item.start is None else item.start, None, span)
            stop = extent if item.stop is None else operators.as_expr(item.stop, None, span)
            steps.take(partial(_narrowed, dim=dim, start=start, stop=stop))
        dim += 1
    return steps.last()


class _Steps:
    """Views declared one from another."""

    def __init__(self, owner: Buffer, parser: KernelReader, span: Span) -> None:
        self.owner = owner
        self.buffer = owner
        self._parser = parser
        self._span = span

    def take(self, make: Callable[..., Buffer]) -> None:
        """Declare the next view."""
        self.buffer = _declare(self._parser, make(self.buffer, span=self._span), self._span)

    def last(self) -> Buffer:
        """Return the last view: of the whole buffer if there was no step."""
        if self.buffer is self.owner:
            self.take(partial(_viewed, shape=self.owner.shape))
        return self.buffer


def _dropped(owner: Buffer, span: Span, dim: int, index: Expr) -> Buffer:
    """Return a view without a dimension: at one index of it."""
    grouped, ends, parts = _run(owner, span, dim)
    offset: Expr = IntImm(index.dtype, 0)
    for part, item in zip(parts, layouts.split_number(index, [part.extent for part in parts]), strict=True):
        offset = layouts.sum_of(offset, layouts.product_of(item, part.stride))
    shard = (*grouped.shard[: ends[dim]], *grouped.shard[ends[dim + 1] :])
    return _moved(owner, span, (*owner.shape[:dim], *owner.shape[dim + 1 :]), grouped, shard, offset)


def _narrowed(owner: Buffer, span: Span, dim: int, start: Expr, stop: Expr) -> Buffer:
    """Return a view of a range of a dimension."""
    length = layouts.difference_of(stop, start)
    grouped, ends, parts = _run(owner, span, dim)
    first, *others = parts
    inner = layouts.size(grouped.replace(shard=tuple(others)))
    if not (layouts.divides(inner, start) and layouts.divides(inner, length)):
        raise WrongType(where=f"{owner.name}.sub", expected=f"a range of multiples of {inner}", got=start, span=span)
    offset = layouts.product_of(layouts.quotient_of(start, inner), first.stride)
    kept = (first.replace(extent=layouts.quotient_of(length, inner)), *others)
    shard = (*grouped.shard[: ends[dim]], *kept, *grouped.shard[ends[dim + 1] :])
    return _moved(owner, span, (*owner.shape[:dim], length, *owner.shape[dim + 1 :]), grouped, shard, offset)


def _run(owner: Buffer, span: Span, dim: int) -> tuple[TileLayout, list[int], tuple[LayoutIter, ...]]:
    """Return the layout by dimensions, where their iters end, and the iters of one dimension."""
    layout = _layout_of(owner, span)
    tiles = layout.tile_layout if isinstance(layout, ComposeLayout) else layout
    grouped, ends = layouts.group(tiles, owner.shape)
    return grouped, ends, grouped.shard[ends[dim] : ends[dim + 1]]


def _moved(
    owner: Buffer,
    span: Span,
    shape: Sequence[Expr],
    grouped: TileLayout,
    shard: tuple[LayoutIter, ...],
    offset: Expr,
) -> Buffer:
    """Return a view at an offset from the first element; it is part of the layout where that swizzles."""
    layout = _layout_of(owner, span)
    offsets = list(grouped.offset)
    if isinstance(layout, ComposeLayout) and not _commutes(layout, offset):
        offsets.append(LayoutOffset(offset, MEMORY))
        offset = IntImm(offset.dtype, 0)
    tiles = grouped.replace(shard=shard, offset=layouts.sum_of_offsets(offsets))
    elem_offset = layouts.sum_of(owner.elem_offset, offset)
    return _view(owner, span, shape, layout=layouts.on_tiles(layout, lambda _: tiles), elem_offset=elem_offset)


def _commutes(layout: ComposeLayout, offset: Expr) -> bool:
    """Whether a swizzle stays the same when memory is moved by an offset."""
    period = 1 << (layout.per_element + layout.atom_len + layout.swizzle_len)
    return layout.swizzle_len == 0 or layouts.divides(IntImm("int32", period), offset)


def tile(owner: Buffer, parser: KernelReader, span: Span, *specs: Any) -> Builtin:
    """Split dimensions into factors; the subscript of the result picks some and keeps those written `:`."""
    pairs = [specs] if specs and not isinstance(specs[0], (tuple, list)) else specs
    factors: list[tuple[int, Sequence[Any]]] = []
    for spec in pairs:
        if len(spec) != 2 or not isinstance(spec[1], (tuple, list)):
            raise WrongType(
                where=f"{owner.name}.tile", expected="a dimension and its factors", got=repr(spec), span=span
            )
        dim = integer("tile", spec[0])
        factors.append((dim % len(owner.shape), spec[1]))
    return Builtin("tile", partial(_picked, owner, factors), needs_kernel=True)


def _picked(
    owner: Buffer, factors: Sequence[tuple[int, Sequence[Any]]], parser: KernelReader, span: Span, index: object
) -> Buffer:
    """Declare a view of the picked tiles."""
    items = index if isinstance(index, tuple) else (index,)
    count = sum(len(parts) for _, parts in factors)
    if len(items) != count:
        raise WrongArgumentCount(where=f"{owner.name}.tile", expected=f"{count} indices", got=len(items), span=span)
    picks: list[tuple[int, Sequence[Any], tuple[Any, ...]]] = []
    for dim, parts in factors:
        picks.append((dim, parts, items[: len(parts)]))
        items = items[len(parts) :]
    steps = _Steps(owner, parser, span)
    for dim, parts, chosen in sorted(picks, key=lambda pick: pick[0], reverse=True):
        kept = sum(isinstance(item, slice) for item in chosen)
        if kept == len(chosen):
            raise WrongType(where=f"{owner.name}.tile", expected="an index for a factor", got="only :", span=span)
        before, after = steps.buffer.shape[:dim], steps.buffer.shape[dim + 1 :]
        steps.take(partial(_viewed, shape=(*before, *_factors(steps.buffer.shape[dim], parts, span), *after)))
        for place, item in reversed(list(enumerate(chosen))):
            if not isinstance(item, slice):
                steps.take(partial(_dropped, dim=dim + place, index=operators.as_expr(item, None, span)))
        if kept > 1:
            shape = steps.buffer.shape
            joined = prod([integer("tile", item) for item in shape[dim : dim + kept]])
            steps.take(partial(_viewed, shape=(*shape[:dim], joined, *shape[dim + kept :])))
    return steps.last()


def _factors(extent: Expr, parts: Sequence[Any], span: Span) -> list[int]:
    """Return the factors of an extent, -1 computed. Raises `WrongType`."""
    numbers = [integer("tile", item) for item in parts]
    whole, known = integer("tile", extent), prod([item for item in numbers if item != -1])
    numbers = [whole // known if item == -1 else item for item in numbers]
    if prod(numbers) != whole:
        raise WrongType(where="tile", expected=f"factors of {whole}", got=repr(tuple(parts)), span=span)
    return numbers


def chunk(owner: Buffer, spec: Any, span: Span | None = None) -> Builtin:
    """Split dimensions into equal parts; the subscript of the result is a region: `A.chunk((None, 4))[:, i]`."""
    counts = tuple(spec) if isinstance(spec, (tuple, list)) else (spec,)
    if len(counts) != len(owner.shape):
        expected = f"a number or None for each of {len(owner.shape)} dimensions"
        raise WrongArgumentCount(where=f"{owner.name}.chunk", expected=expected, got=len(counts), span=span)

    def pick(index: object, span: Span | None = None) -> object:
        items = index if isinstance(index, tuple) else (index,)
        picked: list[Any] = []
        for count, extent, item in zip(counts, owner.shape, items, strict=False):
            if count is None:
                picked.append(item)
                continue
            size = layouts.quotient_of(extent, IntImm("int32", integer("chunk", count)))
            begin = layouts.product_of(operators.as_expr(item, None, span), size)
            picked.append(slice(begin, layouts.sum_of(begin, size)))
        return subscript(owner, tuple(picked))

    return Builtin("chunk", pick)


def _method(name: str, function: Callable[..., object]) -> Callable[[Buffer], Builtin]:
    return lambda owner: Builtin(name, partial(function, owner), needs_kernel=True)


#: methods of buffers that declare views
VIEWS: dict[str, Callable[[Buffer], Builtin]] = {
    **{
        function.__name__: _method(function.__name__, function)
        for function in (view, permute, local, rearrange, sub, tile)
    },
    "chunk": lambda owner: Builtin("chunk", partial(chunk, owner)),
}
