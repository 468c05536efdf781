"""Layouts of tensors: the order of axes. `NCHW4c` splits the channels of `NCHW` into blocks of 4, an inner axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from types import ModuleType

from tvmscript.ir.arith.data_layout import parse_axes
from tvmscript.ir.arith.fold import add, make, mul
from tvmscript.ir.core import INT64
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.shape_rules import Extents, int64
from tvmscript.ir.relax.operator import Array, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, ShapeExpr, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import simplify_size
from tvmscript.ir.tir import Expr, FloorDiv, IntImm, cast


@dataclass(frozen=True, slots=True)
class Layout:
    """The axes in order: (letter, 0) for a primal axis, (letter, factor) for an inner axis that splits it."""

    axes: tuple[tuple[str, int], ...]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.axes)

    @property
    def letters(self) -> frozenset[str]:
        """The primal axes."""
        return frozenset([letter for letter, inner in self.axes if not inner])

    def block(self, letter: str) -> int:
        """Return the product of the factors that split an axis."""
        return prod([inner for name, inner in self.axes if inner and name == letter])


@cache
def parse_layout(name: str) -> Layout | None:
    """Parse a layout such as `NCHW4c`. None where an axis is repeated, or an inner axis has no primal axis."""
    axes = parse_axes(name)
    return None if axes is None else Layout(axes)


def layout_attr(call: Call, attribute: str, canonical: str) -> Layout:
    """Return the layout in an attribute. Raises `InvalidCall` where its axes are not those of `canonical`."""
    name = call.attrs[attribute]
    layout = parse_layout(name)
    if layout is None or layout.letters != frozenset(canonical):
        raise invalid_argument(call, attribute, f"a layout with the axes of {canonical}", repr(name))
    return layout


def check_ndim(call: Call, position: int, info: TensorStructInfo, ndim: int, name: str) -> None:
    """Check the number of dimensions of a tensor against its layout. Raises `InvalidCall`."""
    if info.ndim not in (UNKNOWN_NDIM, ndim):
        raise invalid_argument(call, position, f"a tensor of {ndim} dimensions ({name})", f"one of {info.ndim}")


def literal_extents(info: TensorStructInfo) -> Extents:
    """Return the extents of a shape literal, None for a shape variable or an unknown shape."""
    return info.shape.values if isinstance(info.shape, ShapeExpr) else None


def canonical_extents(
    call: Call, position: int, info: TensorStructInfo, attribute: str, canonical: str
) -> tuple[Extents, Layout]:
    """Return the extents of an argument in canonical order, None where unknown, and the layout in an attribute.

    Raises `InvalidCall` where the layout or the number of dimensions does not fit.
    """
    source = layout_attr(call, attribute, canonical)
    check_ndim(call, position, info, source.ndim, call.attrs[attribute])
    extents = literal_extents(info)
    if extents is None:
        return None, source
    for (letter, inner), extent in zip(source.axes, extents, strict=True):
        if inner and isinstance(extent, IntImm) and extent.value != inner:
            raise invalid_argument(call, position, f"{inner} elements along {letter.lower()}", extent.value)
    return to_canonical(extents, source, canonical), source


def to_canonical(extents: Sequence[Expr], source: Layout, canonical: str) -> tuple[Expr, ...]:
    """Convert extents from a layout to canonical order: inner extents are multiplied into their axes."""
    whole = {letter: extent for (letter, inner), extent in zip(source.axes, extents, strict=True) if not inner}
    return tuple([_multiply_extent(whole[letter], source.block(letter)) for letter in canonical])


def from_canonical(extents: Sequence[Expr], canonical: str, target: Layout) -> tuple[Expr, ...]:
    """Convert extents from canonical order to a layout; the number of blocks is rounded up."""
    whole = dict(zip(canonical, extents, strict=True))
    return tuple(
        [int64(inner) if inner else _count_blocks(whole[letter], target.block(letter)) for letter, inner in target.axes]
    )


def _multiply_extent(extent: Expr, block: int) -> Expr:
    return extent if block == 1 else simplify_size(mul(cast(INT64, extent), int64(block)))


def _count_blocks(extent: Expr, block: int) -> Expr:
    if block == 1:
        return extent
    return simplify_size(make(FloorDiv, add(cast(INT64, extent), int64(block - 1)), int64(block)))


# Layouts of NumPy arrays


def array_to_canonical(np: ModuleType, array: Array, name: str, canonical: str) -> Array:
    """Transpose an array from a layout to canonical order."""
    source = parse_layout(name)
    assert source is not None
    places = [_positions_of_axis(source, letter) for letter in canonical]
    extents = [prod([array.shape[at] for at in places_of_axis]) for places_of_axis in places]
    return np.transpose(array, [at for places_of_axis in places for at in places_of_axis]).reshape(extents)


def _positions_of_axis(source: Layout, letter: str) -> list[int]:
    """Return the positions of an axis: the primal axis, then its inner axes."""
    axes = [at for at, (axis, _) in enumerate(source.axes) if axis == letter]
    return sorted(axes, key=lambda at: source.axes[at][1] > 0)


def array_from_canonical(np: ModuleType, array: Array, canonical: str, name: str) -> Array:
    """Transpose an array from canonical order to a layout; partial blocks are padded with zeros."""
    target = parse_layout(name)
    assert target is not None
    blocks = [target.block(letter) for letter in canonical]
    padded = np.pad(array, [(0, -extent % block) for extent, block in zip(array.shape, blocks, strict=True)])
    split: list[int] = []
    places: dict[tuple[str, int], list[int]] = {}
    for letter, extent, block in zip(canonical, padded.shape, blocks, strict=True):
        parts = [inner for axis, inner in target.axes if axis == letter and inner]
        for inner, part in [(0, extent // block), *[(inner, inner) for inner in parts]]:
            places.setdefault((letter, inner), []).append(len(split))
            split.append(part)
    order = [places[axis].pop(0) for axis in target.axes]
    return np.transpose(padded.reshape(split), order)
