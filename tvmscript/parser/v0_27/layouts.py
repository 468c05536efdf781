"""Layouts of 0.27: `T.TileLayout(T.S[(8, 4):(4 @ Axis.laneid, 1)] + T.R[2:1] + 3 @ Axis.warpid)`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.arith import tile_layouts as algebra
from tvmscript.ir.core import Span, WrongType
from tvmscript.ir.tir import Expr, Range, operators
from tvmscript.ir.tir.tile import AXES, MEMORY, ComposeLayout, LayoutIter, LayoutOffset, TileLayout
from tvmscript.parser.builtins.argument_checks import extent_of, integer, text
from tvmscript.parser.names.namespace import Builtin, Namespace, SubscriptBuiltin
from tvmscript.parser.python.members import MEMBERS
from tvmscript.parser.python.script_values import ScriptValue


class AxisName(ScriptValue):
    """`Axis.laneid`."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def apply(self, symbol: str, other: object, is_left: bool) -> object:
        """Return `4 @ Axis.laneid`."""
        if symbol != "@" or is_left:
            raise TypeError(f"write value @ Axis.{self.name}")
        return LayoutSpec(offset=((self.name, other),))

    def __repr__(self) -> str:
        return f"Axis.{self.name}"


class LayoutSpec(ScriptValue):
    """Parts of a layout: shards, replicas and offsets by axis."""

    __slots__ = ("offset", "replica", "shard")

    def __init__(
        self,
        shard: tuple[LayoutIter, ...] | None = None,
        replica: tuple[LayoutIter, ...] | None = None,
        offset: tuple[tuple[str, object], ...] = (),
    ) -> None:
        self.shard = shard
        self.replica = replica
        self.offset = offset

    def apply(self, symbol: str, other: object, is_left: bool) -> object:
        """Return the parts of both operands."""
        if symbol != "+" or not isinstance(other, (LayoutSpec, Expr, int)):
            raise TypeError("the parts of a layout are added: T.S[...] + T.R[...] + 3 @ Axis.warpid")
        added = other if isinstance(other, LayoutSpec) else LayoutSpec(offset=((MEMORY, other),))
        left, right = (self, added) if is_left else (added, self)
        return LayoutSpec(
            right.shard if left.shard is None else left.shard,
            left.replica if right.replica is None else right.replica,
            left.offset + right.offset,
        )

    def __repr__(self) -> str:
        return "a part of a layout"


def shard(index: object, span: Span | None = None) -> LayoutSpec:
    """Part of a layout: `T.S[extents:strides]`, or `T.S[extents]` in row-major order."""
    return LayoutSpec(shard=_iters(index, span))


def replica(index: object, span: Span | None = None) -> LayoutSpec:
    """Part of a layout that repeats it: `T.R[extents:strides]`."""
    return LayoutSpec(replica=_iters(index, span))


def _iters(index: object, span: Span | None) -> tuple[LayoutIter, ...]:
    extents, strides = (index.start, index.stop) if isinstance(index, slice) else (index, None)
    sizes = [extent_of("a layout", item, span) for item in _items(extents)]
    steps = list(_items(strides)) if strides is not None else list(_row_major(sizes))
    if len(sizes) != len(steps):
        raise WrongType(where="a layout", expected=f"{len(sizes)} strides", got=len(steps), span=span)
    return tuple([_iter(size, step, span) for size, step in zip(sizes, steps, strict=True)])


def _iter(size: Expr, step: object, span: Span | None) -> LayoutIter:
    axis = MEMORY
    if isinstance(step, LayoutSpec) and len(step.offset) == 1:
        [(axis, step)] = step.offset
    return LayoutIter(size, extent_of("a layout", step, span), axis, span=span)


def _items(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _row_major(sizes: list[Expr]) -> list[Expr]:
    strides: list[Expr] = []
    stride: Expr = operators.const(1, sizes[-1].dtype if sizes else "int32")
    for size in reversed(sizes):
        strides.insert(0, stride)
        stride = fold.mul(size, stride)
    return strides


def tile_layout(spec: object, span: Span | None = None) -> TileLayout:
    """A layout: where the elements of a buffer lie."""
    if not isinstance(spec, LayoutSpec):
        raise WrongType(where="T.TileLayout", expected="T.S[...], T.R[...] and offsets", got=repr(spec), span=span)
    offsets: dict[str, Expr] = {}
    for axis, value in spec.offset:
        expr = extent_of("an offset", value, span)
        offsets[axis] = fold.add(offsets[axis], expr) if axis in offsets else expr
    parts = [LayoutOffset(value, axis, span=span) for axis, value in offsets.items()]
    return TileLayout(spec.shard or (), spec.replica or (), tuple(parts), span=span)


def compose_layout(
    per_element: object,
    swizzle_len: object,
    atom_len: object,
    tile_layout: Any,
    swizzle_inner: bool = True,
    span: Span | None = None,
) -> ComposeLayout:
    """A layout with a swizzle."""
    element, length, atom = [integer("T.ComposeLayout", item) for item in (per_element, swizzle_len, atom_len)]
    return ComposeLayout(element, length, atom, tile_layout, bool(swizzle_inner), span=span)


def layout_iter(extent: object, stride: object, axis: object, span: Span | None = None) -> LayoutIter:
    """One step of a layout: extent, stride, axis."""
    return LayoutIter(extent_of("a layout", extent, span), extent_of("a layout", stride, span), _axis(axis), span=span)


def from_iters(
    shard: Any = (), replica: Any = (), offset: Mapping[object, object] | None = None, span: Span | None = None
) -> TileLayout:
    """A layout of steps: `T.TileLayout.from_iters([T.Iter(8, 1, "laneid")], offset={"m": 4})`."""
    parts = [
        LayoutOffset(extent_of("an offset", value, span), _axis(axis), span=span)
        for axis, value in (offset or {}).items()
    ]
    return TileLayout(tuple(shard), tuple(replica), tuple(parts), span=span)


def _axis(given: object) -> str:
    return given.name if isinstance(given, AxisName) else text("an axis", given)


def _shape(given: Any, span: Span | None) -> list[Expr]:
    return [extent_of("a shape of a layout", item, span) for item in _items(given)]


# methods of layouts


def _region(given: Any, span: Span | None) -> list[tuple[Expr, Expr]]:
    pairs = [(item.min, fold.add(item.min, item.extent)) if isinstance(item, Range) else item for item in given]
    return [(extent_of("slice", begin, span), extent_of("slice", end, span)) for begin, end in pairs]


def _apply(layout: algebra.Layout, *coordinate: Any, shape: Any = None, span: Span | None = None) -> dict[str, Expr]:
    numbers = [extent_of("apply", item, span) for item in coordinate]
    return algebra.apply(layout, numbers, None if shape is None else _shape(shape, span))


def _group(layout: TileLayout, shape: Any, span: Span | None = None) -> tuple[TileLayout, list[int]]:
    return algebra.group(layout, _shape(shape, span))


def _tile(
    layout: algebra.Layout, outer: TileLayout, outer_shape: Any, inner_shape: Any, span: Span | None = None
) -> algebra.Layout:
    return algebra.tile(layout, outer, _shape(outer_shape, span), _shape(inner_shape, span))


def _direct_sum(
    layout: algebra.Layout, left: TileLayout, left_shape: Any, right_shape: Any, span: Span | None = None
) -> algebra.Layout:
    return algebra.direct_sum(layout, left, _shape(left_shape, span), _shape(right_shape, span))


def _group_many(layout: TileLayout, shapes: Any, span: Span | None = None) -> tuple[TileLayout, list[list[int]]]:
    return algebra.group_many(layout, [_shape(shape, span) for shape in shapes])


def _complement(is_inner: bool, is_tiled: bool) -> Callable[..., algebra.Layout | None]:
    def call(
        layout: algebra.Layout, combined: algebra.Layout, shape: Any, known_shape: Any, span: Span | None = None
    ) -> algebra.Layout | None:
        whole, part = _shape(shape, span), _shape(known_shape, span)
        return algebra.complement(layout, combined, whole, part, is_inner=is_inner, is_tiled=is_tiled)

    return call


def _tile_to(layout: algebra.Layout, to_shape: Any, current_shape: Any, span: Span | None = None) -> algebra.Layout:
    return algebra.tile_to(layout, _shape(to_shape, span), _shape(current_shape, span))


def _slice(layout: algebra.Layout, shape: Any, region: Any, span: Span | None = None) -> algebra.Layout | None:
    return algebra.cut(layout, _shape(shape, span), _region(region, span))


def _integers(name: str, given: Any) -> list[int]:
    return [integer(name, item) for item in given]


def _permute_dims(layout: TileLayout, perm: Any, span: Span | None = None) -> TileLayout:
    return algebra.permute_dims(layout, _integers("permute_dims", perm))


def _permute_by_groups(layout: TileLayout, seps: Any, perm: Any, span: Span | None = None) -> TileLayout:
    ends, order = _integers("permute_by_groups", seps), _integers("permute_by_groups", perm)
    return algebra.permute_by_groups(layout, ends, order)


def _pack(layout: algebra.Layout, num: Any, span: Span | None = None) -> algebra.Layout:
    return algebra.pack(layout, integer("pack", num))


def _unpack(layout: algebra.Layout, num: Any, span: Span | None = None) -> algebra.Layout:
    return algebra.unpack(layout, integer("unpack", num))


def _broadcast(
    layout: algebra.Layout, num: Any, position: Any = -1, axis: object = MEMORY, span: Span | None = None
) -> algebra.Layout:
    return algebra.broadcast(layout, integer("broadcast", num), integer("broadcast", position), _axis(axis))


def _of_axis(function: Callable[[algebra.Layout, str | None], Expr]) -> Callable[..., Expr]:
    def call(layout: algebra.Layout, axis_name: object = None, span: Span | None = None) -> Expr:
        return function(layout, None if axis_name is None else _axis(axis_name))

    return call


def _plain(function: Callable[[algebra.Layout], object]) -> Callable[..., object]:
    return lambda layout, span=None: function(layout)


_METHODS: dict[str, Callable[..., object]] = {
    "apply": _apply,
    "broadcast": _broadcast,
    "canonicalize": _plain(algebra.simplified),
    "direct_sum": _direct_sum,
    "is_direct_sum_left": _complement(is_inner=False, is_tiled=False),
    "is_direct_sum_right": _complement(is_inner=True, is_tiled=False),
    "is_swizzle": _plain(algebra.is_swizzle),
    "is_tile_inner": _complement(is_inner=True, is_tiled=True),
    "is_tile_outer": _complement(is_inner=False, is_tiled=True),
    "is_trivial": _plain(algebra.is_trivial),
    "pack": _pack,
    "size": _of_axis(algebra.size),
    "slice": _slice,
    "span": _of_axis(algebra.span),
    "storage": _plain(algebra.storage),
    "tile": _tile,
    "tile_to": _tile_to,
    "unpack": _unpack,
}
_METHODS_OF_TILES: dict[str, Callable[..., object]] = {
    "group": _group,
    "group_many": _group_many,
    "permute_by_groups": _permute_by_groups,
    "permute_dims": _permute_dims,
}


def _method(name: str, function: Callable[..., object]) -> Callable[[object], object]:
    return lambda owner: Builtin(name, partial(function, owner))


class _LayoutConstructor(Builtin):
    # `T.TileLayout`, which has another constructor: `T.TileLayout.from_iters(...)`

    __slots__ = ("__doc__",)


MEMBERS[TileLayout] = {name: _method(name, function) for name, function in {**_METHODS, **_METHODS_OF_TILES}.items()}
MEMBERS[ComposeLayout] = {name: _method(name, function) for name, function in _METHODS.items()}
MEMBERS[_LayoutConstructor] = {"from_iters": lambda owner: Builtin("T.TileLayout.from_iters", from_iters)}

LAYOUTS: dict[str, object] = {
    "S": SubscriptBuiltin("T.S", shard),
    "R": SubscriptBuiltin("T.R", replica),
    "TileLayout": _LayoutConstructor("T.TileLayout", tile_layout),
    "ComposeLayout": Builtin("T.ComposeLayout", compose_layout),
    "Iter": Builtin("T.Iter", layout_iter),
}
AXIS_NAMES: Mapping[str, object] = {name: AxisName(name) for name in AXES}
AXIS = Namespace("Axis", AXIS_NAMES)
