"""Layouts of 0.27: `T.TileLayout(T.S[(8, 4):(4 @ Axis.laneid, 1)] + T.R[2:1] + 3 @ Axis.warpid)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.arith import fold
from tvmscript.ir.core import Span, WrongType
from tvmscript.ir.tir import Expr, operators
from tvmscript.ir.tir.tile import AXES, MEMORY, ComposeLayout, LayoutIter, LayoutOffset, TileLayout
from tvmscript.parser.builtins.argument_checks import extent_of, integer, text
from tvmscript.parser.names.namespace import Builtin, Namespace
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
    name = axis.name if isinstance(axis, AxisName) else text("T.Iter", axis)
    return LayoutIter(extent_of("a layout", extent, span), extent_of("a layout", stride, span), name, span=span)


LAYOUTS: dict[str, object] = {
    "S": Builtin("T.S", shard),
    "R": Builtin("T.R", replica),
    "TileLayout": Builtin("T.TileLayout", tile_layout),
    "ComposeLayout": Builtin("T.ComposeLayout", compose_layout),
    "Iter": Builtin("T.Iter", layout_iter),
}
AXIS_NAMES: Mapping[str, object] = {name: AxisName(name) for name in AXES}
AXIS = Namespace("Axis", AXIS_NAMES)
