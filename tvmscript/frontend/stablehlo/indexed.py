"""Operations that read or write elements at places that are tensors: gather, scatter, sort, top_k."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Final

import numpy as np

from tvmscript.frontend.stablehlo.text import UNKNOWN_SIZE, Operation, Region, numbers
from tvmscript.frontend.stablehlo.values import Converter, Results, constant, places_along
from tvmscript.frontend.tensor_info import dtype_of, shape_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R

_INDEX: Final = "int64"
#: operation of a region that combines old and new elements -> reduction of R.scatter_nd
_COMBINATIONS: Final = {"add": "add", "maximum": "max", "minimum": "min", "multiply": "mul", "or": "max", "and": "min"}


def _dimension_numbers(operation: Operation) -> dict[str, list[int]]:
    text = operation.text
    fields = {name: numbers(values) for name, values in re.findall(r"(\w+) = \[([^\]]*)\]", text)}
    vector = re.search(r"index_vector_dim = (\d+)", text)
    return {**fields, "index_vector_dim": [int(vector[1]) if vector is not None else 0]}


def _gather(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    """Return slices at places, which are clipped so that the slices are inside."""
    x, places = operands
    fields, (kind,) = _dimension_numbers(operation), operation.types
    sizes, shape = operation.integers("slice_sizes"), shape_of(x)
    axes, collapsed = fields.get("start_index_map", []), fields.get("collapsed_slice_dims", [])
    batching = fields.get("operand_batching_dims", [])
    slices = _Slices(
        axes,
        [axis for axis in range(len(shape)) if axis not in (*collapsed, *batching)],
        fields.get("offset_dims", []),
        dict(zip(batching, fields.get("start_indices_batching_dims", []), strict=True)),
        kind.shape,
    )
    places = _move_vectors_last(places, fields["index_vector_dim"][0])
    if len(axes) == 1 and axes == collapsed and not batching:
        rows = [1 if axis in axes else size for axis, size in enumerate(shape)]
        if rows == sizes:
            return _take(x, places, axes[0], slices.offsets, len(kind.shape))
    if UNKNOWN_SIZE in kind.shape:
        operation.fail("slices of several axes, or of parts of axes, are not supported with symbolic sizes")
    most = [shape[axis] - sizes[axis] for axis in axes]
    places = R.minimum(R.maximum(places, constant(0, _INDEX)), constant(most, _INDEX))
    line, _ = _positions(places, slices, shape)
    return R.take(R.reshape(x, R.shape([prod(shape)])), line, 0)


def _take(x: RelaxExpr, places: RelaxExpr, axis: int, offsets: list[int], rank: int) -> RelaxExpr:
    """Return whole slices of one axis: what indexing by an array makes."""
    size = shape_of(x)[axis]
    places = R.clip(R.squeeze(places, [len(shape_of(places)) - 1]), 0, size - 1)
    result = R.take(x, places, axis)
    place_axes = list(range(axis, axis + len(shape_of(places))))
    rest = [other for other in range(rank) if other not in place_axes]
    order = [0] * rank
    batch = [other for other in range(rank) if other not in offsets]
    for target, source in (*zip(batch, place_axes, strict=True), *zip(offsets, rest, strict=True)):
        order[target] = source
    return result if order == list(range(rank)) else R.permute_dims(result, order)


def _move_vectors_last(places: RelaxExpr, axis: int) -> RelaxExpr:
    """Return places as int64 with the axis of their coordinates last."""
    places = R.astype(places, _INDEX) if dtype_of(places) != _INDEX else places
    rank = len(shape_of(places))
    if axis == rank:
        return R.expand_dims(places, [rank])
    order = [*[other for other in range(rank) if other != axis], axis]
    return places if order == list(range(rank)) else R.permute_dims(places, order)


@dataclass(frozen=True)
class _Slices:
    """Slices of a tensor at places: axes of the tensor, and those of the tensor of all slices."""

    #: axes whose first places are the coordinates of a place
    axes: list[int]
    #: axes that slices have, and the axes of all slices that correspond to them; the others are those of the places
    windows: list[int]
    offsets: list[int]
    #: axis that slices share with the places -> axis of the places
    batching: Mapping[int, int]
    #: shape of all slices
    shape: Sequence[int]


def _positions(places: RelaxExpr, slices: _Slices, shape: list[int]) -> tuple[RelaxExpr, RelaxExpr]:
    """Return the places of all elements of slices in the flat tensor, and whether they are inside of it."""
    rank = len(slices.shape)
    batch = [axis for axis in range(rank) if axis not in slices.offsets]

    def spread(coordinates: RelaxExpr, own: list[int]) -> RelaxExpr:
        return R.reshape(coordinates, R.shape([size if axis in own else 1 for axis, size in enumerate(slices.shape)]))

    def count(own: int) -> RelaxExpr:
        return spread(constant(places_along(slices.shape[own]), _INDEX), [own])

    line: RelaxExpr = constant(np.zeros([1] * rank), _INDEX)
    inside: RelaxExpr = constant(np.ones([1] * rank), "bool")
    last = len(shape_of(places)) - 1
    for axis, size in enumerate(shape):
        place: RelaxExpr = constant(np.zeros([1] * rank), _INDEX)
        if axis in slices.axes:
            column = slices.axes.index(axis)
            place = R.add(place, spread(R.strided_slice(places, [last], [column], [column + 1]), batch))
        if axis in slices.windows:
            place = R.add(place, count(slices.offsets[slices.windows.index(axis)]))
        if axis in slices.batching:
            place = R.add(place, count(batch[slices.batching[axis]]))
        is_inside = R.logical_and(R.greater_equal(place, constant(0, _INDEX)), R.less(place, constant(size, _INDEX)))
        inside = R.logical_and(inside, is_inside)
        line = R.add(line, R.multiply(place, constant(prod(shape[axis + 1 :]), _INDEX)))
    target = R.shape(list(slices.shape))
    return R.broadcast_to(line, target), R.broadcast_to(inside, target)


def _scatter(operation: Operation, operands: Sequence[RelaxExpr]) -> RelaxExpr:
    """Write or combine updates at places; those outside are dropped."""
    if len(operands) != 3:
        operation.fail("several tensors are not scattered at once")
    x, places, updates = operands
    fields, shape, whole = _dimension_numbers(operation), shape_of(x), shape_of(updates)
    inserted, batching = fields.get("inserted_window_dims", []), fields.get("input_batching_dims", [])
    slices = _Slices(
        fields.get("scatter_dims_to_operand_dims", []),
        [axis for axis in range(len(shape)) if axis not in (*inserted, *batching)],
        fields.get("update_window_dims", []),
        dict(zip(batching, fields.get("scatter_indices_batching_dims", []), strict=True)),
        whole,
    )
    counted = [*shape, *(whole if batching else [whole[axis] for axis in slices.offsets])]
    if not all(isinstance(size, int) for size in counted):
        operation.fail("tensors and parts of axes of symbolic sizes are not supported")
    line, inside = _positions(_move_vectors_last(places, fields["index_vector_dim"][0]), slices, shape)
    count = prod(shape)
    line = R.reshape(R.where(inside, line, constant(count, _INDEX)), R.shape([prod(whole), 1]))
    dtype = dtype_of(x)
    # what is outside goes to an element behind the others
    flat = R.concat((R.reshape(x, R.shape([count])), constant(np.zeros(1), dtype)), 0)
    updates = R.reshape(updates, R.shape([prod(whole)]))
    if dtype == "bool":
        flat, updates = R.astype(flat, "int8"), R.astype(updates, "int8")
    written = R.scatter_nd(flat, line, updates, _combination(operation, operation.regions[0]))
    result = R.reshape(R.strided_slice(written, [0], [0], [count]), R.shape(shape))
    return R.astype(result, dtype) if dtype == "bool" else result


def _combination(operation: Operation, region: Region) -> str:
    """Return how a region combines an old and a new element. Raises `InvalidModel`."""
    *applied, end = region.operations
    if not applied and end.operands == region.arguments[1:]:
        return "update"
    name = applied[0].name.removeprefix("stablehlo.") if len(applied) == 1 else ""
    if name not in _COMBINATIONS or sorted(applied[0].operands) != sorted(region.arguments):
        operation.fail("updates are combined by one operation of an old and a new element")
    return _COMBINATIONS[name]


def _sort(operation: Operation, operands: Sequence[RelaxExpr]) -> Results:
    """Sort tensors by one of them, equal elements in their order."""
    axis = operation.integer("dimension", -1) % len(shape_of(operands[0]))
    key, is_descending = _order(operation, operation.regions[0])
    if len(operands) == 1:
        return R.sort(operands[0], axis, is_descending)
    order = R.argsort(operands[key], axis, is_descending, _INDEX)
    return [R.gather_elements(operand, order, axis) for operand in operands]


def _order(operation: Operation, region: Region) -> tuple[int, bool]:
    """Return by which tensor a region compares, and whether larger elements come first. Raises `InvalidModel`."""
    makers = {name: each for each in region.operations for name in each.results}
    last = makers.get(region.operations[-1].operands[0])
    direction = last.text.split()[0].rstrip(",") if last is not None and last.name == "stablehlo.compare" else ""
    if last is None or direction not in ("LT", "GT"):
        operation.fail("it sorts by another order than that of one tensor")
    sides = [_arguments(name, makers, region.arguments) for name in last.operands]
    if len(sides[0]) != 1 or len(sides[1]) != 1:
        operation.fail("it sorts by several tensors")
    (left,), (right,) = sides
    if left // 2 != right // 2 or left == right:
        operation.fail("it compares elements of different tensors")
    return left // 2, (direction == "GT") == (left < right)


def _arguments(name: str, makers: Mapping[str, Operation], arguments: list[str]) -> set[int]:
    """Return which arguments of a region a value depends on."""
    places: set[int] = set()
    names, seen = [name], set[str]()
    while names:
        current = names.pop()
        if current in arguments:
            places.add(arguments.index(current))
        elif current in makers and current not in seen:  # a damaged region may have a cycle
            seen.add(current)
            names += makers[current].operands
    return places


def _top_k(operation: Operation, operands: Sequence[RelaxExpr]) -> list[RelaxExpr]:
    """Return the largest elements of the last axis and their places."""
    pair = R.topk(operands[0], operation.integer("k"), dtype=operation.types[1].dtype)
    return [pair[0], pair[1]]


#: operation -> converter
INDEXED: Final[dict[str, Converter]] = {"chlo.top_k": _top_k, "gather": _gather, "scatter": _scatter, "sort": _sort}
