"""NumPy references of operators over windows and places, as their specifications define them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.frontends.pool import Array
from tvmscript.testing.operator_references import convolution


def windows(x: Array, window: Sequence[int], strides: Sequence[int], dilation: Sequence[int]) -> Array:
    """Return the windows of a padded array: their places, then the axes of a window."""
    reach = [(size - 1) * step + 1 for size, step in zip(window, dilation, strict=True)]
    view = np.lib.stride_tricks.sliding_window_view(x, reach)
    places = tuple(slice(None, None, step) for step in strides)
    inside = tuple(slice(None, None, step) for step in dilation)
    return view[places + inside]


def spread(x: Array, value: Any, low: Sequence[int], high: Sequence[int], interior: Sequence[int]) -> Array:
    """Return an array with elements between the old ones, then with edges, of which negative ones cut."""
    inner = [max(0, size + (size - 1) * step) for size, step in zip(x.shape, interior, strict=True)]
    whole = np.full(inner, value, x.dtype)
    whole[tuple(slice(None, None, step + 1) for step in interior)] = x
    edges = [(max(0, a), max(0, b)) for a, b in zip(low, high, strict=True)]
    padded = np.pad(whole, edges, constant_values=value)
    cuts = [(max(0, -a), size - max(0, -b)) for a, b, size in zip(low, high, padded.shape, strict=True)]
    return padded[tuple(slice(*cut) for cut in cuts)]


def convolve(
    x: Array,
    weight: Array,
    strides: Sequence[int],
    pads: Sequence[tuple[int, int]],
    dilation: Sequence[int],
    groups: int,
) -> Array:
    """Return a convolution of images (batch, channels, ...) by kernels (channels, channels of a group, ...)."""
    space, widths = "DHW"[-len(strides) :], [width for side in zip(*pads, strict=True) for width in side]
    return convolution.convolve(x, weight, strides, widths, dilation, groups, f"NC{space}", f"OI{space}")


#: combination of two elements -> NumPy's function
COMBINATIONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "add": np.add, "maximum": np.maximum, "minimum": np.minimum, "multiply": np.multiply,
}  # fmt: skip


def gather(
    x: Array,
    places: Array,
    offset_dims: Sequence[int],
    collapsed: Sequence[int],
    start_map: Sequence[int],
    vector_axis: int,
    sizes: Sequence[int],
    rank: int,
) -> Array:
    """Return the slices of an array at places, which are moved inside."""
    coordinates = places[..., None] if vector_axis == places.ndim else np.moveaxis(places, vector_axis, -1)
    batch = [axis for axis in range(rank) if axis not in offset_dims]
    kept = [axis for axis in range(x.ndim) if axis not in collapsed]
    shape = [0] * rank
    for axis, size in zip(batch, coordinates.shape[:-1], strict=True):
        shape[axis] = size
    for axis, own in zip(offset_dims, kept, strict=True):
        shape[axis] = sizes[own]
    result = np.empty(shape, x.dtype)
    for index in np.ndindex(*shape):
        vector = coordinates[tuple(index[axis] for axis in batch)]
        place = [0] * x.ndim
        for coordinate, own in zip(vector, start_map, strict=True):
            place[own] = min(max(int(coordinate), 0), x.shape[own] - sizes[own])
        for axis, own in zip(offset_dims, kept, strict=True):
            place[own] += index[axis]
        result[index] = x[tuple(place)]
    return result


def scatter(
    x: Array,
    places: Array,
    updates: Array,
    window_dims: Sequence[int],
    inserted: Sequence[int],
    operand_map: Sequence[int],
    vector_axis: int,
    combine: Callable[[Any, Any], Any],
) -> Array:
    """Combine elements at places with updates; those outside are dropped."""
    coordinates = places[..., None] if vector_axis == places.ndim else np.moveaxis(places, vector_axis, -1)
    batch = [axis for axis in range(updates.ndim) if axis not in window_dims]
    kept = [axis for axis in range(x.ndim) if axis not in inserted]
    result = x.copy()
    for index in np.ndindex(*updates.shape):
        place = [0] * x.ndim
        for coordinate, own in zip(coordinates[tuple(index[axis] for axis in batch)], operand_map, strict=True):
            place[own] = int(coordinate)
        for axis, own in zip(window_dims, kept, strict=True):
            place[own] += index[axis]
        if all(0 <= at < size for at, size in zip(place, x.shape, strict=True)):
            result[tuple(place)] = combine(result[tuple(place)], updates[index])
    return result


def convolve_transposed(
    x: Array,
    weight: Array,
    strides: Sequence[int],
    padding: Sequence[int],
    output_padding: Sequence[int],
    dilation: Sequence[int],
    groups: int,
) -> Array:
    """Return a transposed convolution by kernels (channels, channels of a group, ...)."""
    wide = convolution.dilate_python(weight, [1, 1, *dilation])
    return convolution.convolve_transposed(x, wide, strides, padding, output_padding, groups)


def softmax(x: Array, axis: int = -1) -> Array:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return np.asarray(powers / powers.sum(axis, keepdims=True))


def attention(operands: Sequence[Array], scale: float, *, is_causal: bool) -> Array:
    """Return attention of queries, keys and values (batch, length, heads, head size)."""
    query, key, value = operands
    scores = np.einsum("bqhd,bkhd->bhqk", query, key) * scale
    if is_causal:
        scores = np.where(np.tril(np.ones(scores.shape[-2:], bool)), scores, -np.inf)
    return np.asarray(np.einsum("bhqk,bkhd->bqhd", softmax(scores), value))


def normalize_groups(x: Array, groups: int, epsilon: float) -> Array:
    """Normalize groups of channels, which the axis 1 has."""
    parts = x.reshape(x.shape[0], groups, -1)
    parts = (parts - parts.mean(-1, keepdims=True)) / np.sqrt(parts.var(-1, keepdims=True) + epsilon)
    return np.asarray(parts.reshape(x.shape))
