"""Operators of random shapes, as `topi` defines them, beside PyTorch: for `operator_kernels.py --random`."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

from tvmscript import topi

Shape = tuple[int, ...]
#: elements of the largest arrays
MOST = 1 << 20


@dataclass(frozen=True)
class Case:
    """An operator: its inputs, its kernel, and PyTorch's call."""

    name: str
    shapes: Sequence[Shape]
    #: tensors of te -> those that are computed
    kernel: Callable[..., Any]
    torch: Callable[..., Any]
    #: place of an input of int64 -> its upper bound
    below: Mapping[int, int] = field(default_factory=dict[int, int])

    def inputs(self, seed: int) -> list[Any]:
        """Return arrays of random values."""
        rng = np.random.default_rng(seed)
        return [
            rng.integers(0, self.below[place], shape)
            if place in self.below
            else rng.standard_normal(shape).astype("float32")
            for place, shape in enumerate(self.shapes)
        ]


def _sizes(*shapes: Shape) -> str:
    return " ".join("x".join(map(str, shape)) for shape in shapes)


def _shape(rng: random.Random, rank: int, most: int = MOST) -> Shape:
    """Return sizes with up to so many elements, all scales alike."""
    total = rng.uniform(4, most.bit_length() - 1)
    cuts = [0.0, *sorted(rng.uniform(0, total) for _ in range(rank - 1)), total]
    return tuple(max(round(2 ** (high - low)), 1) for low, high in pairwise(cuts))


def _image(rng: random.Random) -> Shape:
    """Return batch, channels, height and width."""
    height, width = (rng.randint(4, 64) for _ in range(2))
    return rng.choice((1, 1, 2, 8)), round(2 ** rng.uniform(0, 7)), height, width


def scan(rng: random.Random) -> Case:
    """A running sum or product along any dimension, of floats or integers."""
    shape = _shape(rng, rng.choice((1, 2, 2, 3)))
    axis, is_integer = rng.randrange(len(shape)), rng.random() < 0.3
    return Case(
        f"cumsum {_sizes(shape)} along {axis}{' int64' if is_integer else ''}",
        [shape],
        lambda x: topi.cumsum(x, axis),
        lambda x: torch.cumsum(x, axis),
        {0: 100} if is_integer else {},
    )


def sort(rng: random.Random) -> Case:
    """Sorted rows, or their positions."""
    shape = _shape(rng, rng.choice((1, 2, 2)), 1 << 17)
    if rng.random() < 0.5:
        return Case(f"sort {_sizes(shape)}", [shape], lambda x: topi.sort(x, -1), lambda x: torch.sort(x, dim=-1)[0])
    return Case(
        f"argsort {_sizes(shape)}",
        [shape],
        lambda x: topi.argsort(x, axis=-1, dtype="int64"),
        lambda x: torch.argsort(x, dim=-1, stable=True),
    )


def topk(rng: random.Random) -> Case:
    """The largest elements of rows."""
    shape = _shape(rng, 2, 1 << 18)
    count = min(shape[1], round(2 ** rng.uniform(0, 7)))
    return Case(
        f"topk {count} of {_sizes(shape)}",
        [shape],
        lambda x: topi.topk(x, count, 1, "values"),
        lambda x: torch.topk(x, count, 1)[0],
    )


def pool(rng: random.Random) -> Case:
    """Pooling in windows, or of whole images."""
    shape = _image(rng)
    kind = rng.choice(("max", "avg"))
    if rng.random() < 0.3:
        of_images = F.adaptive_avg_pool2d if kind == "avg" else F.adaptive_max_pool2d
        return Case(
            f"global {kind} pool {_sizes(shape)}",
            [shape],
            lambda x: topi.nn.global_pool(x, kind, "NCHW"),
            lambda x: of_images(x, 1),
        )
    size, stride = rng.choice((2, 3)), rng.choice((1, 2))
    padding = rng.choice((0, 1)) if size == 3 else 0
    of_windows = F.avg_pool2d if kind == "avg" else F.max_pool2d
    return Case(
        f"{kind} pool {size}x{size} stride {stride} padding {padding} {_sizes(shape)}",
        [shape],
        lambda x: topi.nn.pool2d(x, (size,) * 2, (stride,) * 2, (1, 1), (padding,) * 4, kind, count_include_pad=True),
        lambda x: of_windows(x, size, stride, padding),
    )


def gather(rng: random.Random) -> Case:
    """Rows, columns or elements at random places."""
    rows, columns = _shape(rng, 2)
    count = round(2 ** rng.uniform(0, 11))
    kind = rng.choice(("rows", "columns", "elements"))
    if kind == "elements":
        count = min(count, MOST // rows)
        return Case(
            f"gather {count} of {rows}x{columns}",
            [(rows, columns), (rows, count)],
            lambda x, i: topi.gather(x, 1, i),
            lambda x, i: torch.gather(x, 1, i),
            {1: columns},
        )
    axis = int(kind == "columns")
    count = min(count, MOST // (rows, columns)[1 - axis])
    return Case(
        f"take {count} {kind} of {rows}x{columns}",
        [(rows, columns), (count,)],
        lambda x, i: topi.take(x, i, axis),
        lambda x, i: torch.index_select(x, axis, i),
        {1: (rows, columns)[axis]},
    )


def scatter(rng: random.Random) -> Case:
    """Rows or elements that are added at random places."""
    rows, columns = _shape(rng, 2)
    count = round(2 ** rng.uniform(0, 9))
    if rng.random() < 0.5:
        return Case(
            f"add {count} rows to {rows}x{columns}",
            [(rows, columns), (1, count), (count, columns)],
            lambda x, i, u: topi.scatter_nd(x, i, u, "add"),
            lambda x, i, u: x.index_add(0, i[0], u),
            {1: rows},
        )
    count = min(count, MOST // rows)
    return Case(
        f"scatter {count} into {rows}x{columns}",
        [(rows, columns), (rows, count), (rows, count)],
        lambda x, i, u: topi.scatter_elements(x, i, u, 1, "add"),
        lambda x, i, u: x.scatter_add(1, i, u),
        {1: columns},
    )


def join(rng: random.Random) -> Case:
    """Concatenated arrays, and padded ones."""
    if rng.random() < 0.5:
        shape, edges = _shape(rng, 3), [rng.randint(0, 3) for _ in range(4)]
        return Case(
            f"pad {_sizes(shape)} by {edges}",
            [shape],
            lambda x: topi.nn.pad(x, (0, edges[0], edges[2]), (0, edges[1], edges[3])),
            lambda x: F.pad(x, (edges[2], edges[3], edges[0], edges[1])),
        )
    shape = _shape(rng, rng.choice((2, 3)), MOST // 2)
    axis, other = rng.randrange(len(shape)), list(shape)
    other[axis] = rng.randint(1, 2 * shape[axis])
    shapes = [shape, tuple(other)]
    return Case(
        f"concatenate {_sizes(*shapes)} along {axis}",
        shapes,
        lambda *x: topi.concatenate(x, axis),
        lambda *x: torch.cat(x, axis),
    )


def resize(rng: random.Random) -> Case:
    """Images of another size."""
    shape, scale = _image(rng), rng.choice((2, 3))
    if rng.random() < 0.4:
        return Case(
            f"nearest {scale} of {_sizes(shape)}",
            [shape],
            lambda x: topi.nn.upsampling(x, scale, scale),
            lambda x: F.interpolate(x, scale_factor=scale, mode="nearest"),
        )
    return Case(
        f"bilinear {scale} of {_sizes(shape)}",
        [shape],
        lambda x: topi.nn.upsampling(x, scale, scale, "NCHW", "bilinear", align_corners=True),
        lambda x: F.interpolate(x, scale_factor=scale, mode="bilinear", align_corners=True),
    )


def attention(rng: random.Random) -> Case:
    """Attention of some heads."""
    queries, keys = (round(2 ** rng.uniform(0, 9)) for _ in range(2))
    batch, heads, width = rng.choice((1, 1, 4)), rng.choice((1, 4, 12)), rng.choice((32, 64, 80, 128))
    shapes = [(batch, length, heads, width) for length in (queries, keys, keys)]
    return Case(
        f"attention {_sizes(*shapes[:2])}",
        shapes,
        lambda q, k, v: topi.graph.attention(q, k, v, None, None, None, None),
        lambda q, k, v: F.scaled_dot_product_attention(*[x.transpose(1, 2) for x in (q, k, v)]).transpose(1, 2),
    )


#: kind -> a random operator
KINDS: dict[str, Callable[[random.Random], Case]] = {
    make.__name__: make for make in (scan, sort, topk, pool, gather, scatter, join, resize, attention)
}
