"""NumPy references of operators over windows and places, as their specifications define them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from tvmscript.fuzz.frontends.pool import Array


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
    padded = np.pad(x, [(0, 0), (0, 0), *pads])
    channels = x.shape[1] // groups
    view = windows(padded, (1, channels, *weight.shape[2:]), (1, channels, *strides), (1, 1, *dilation))
    rank = len(strides)
    # batch, group, places, 1, channel, taps -> batch, group, 1, places, channel, taps
    taken = view.reshape(*view.shape[: 2 + rank], 1, channels, *weight.shape[2:])
    filters = weight.reshape(groups, -1, *weight.shape[1:])
    letters = "pqr"[:rank]
    result = np.einsum(f"ng{letters}xc{letters.upper()},goc{letters.upper()}->ngo{letters}", taken, filters)
    return np.asarray(result.reshape(x.shape[0], weight.shape[0], *result.shape[3:]), x.dtype)


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
    rank = len(strides)
    none = [0] * (rank + 2)
    wide = spread(x, 0, none, none, [0, 0, *[step - 1 for step in strides]])
    reach = [(size - 1) * step for size, step in zip(weight.shape[2:], dilation, strict=True)]
    pads = [(r - p, r - p + o) for r, p, o in zip(reach, padding, output_padding, strict=True)]
    flipped = np.flip(weight, tuple(range(2, rank + 2)))
    split = flipped.reshape(groups, -1, *weight.shape[1:]).swapaxes(1, 2)
    wide = spread(wide, 0, [0, 0, *[a for a, _ in pads]], [0, 0, *[b for _, b in pads]], none)
    turned = split.reshape(-1, split.shape[2], *weight.shape[2:])
    return convolve(wide, turned, [1] * rank, [(0, 0)] * rank, dilation, groups)


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
