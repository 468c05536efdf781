"""Shapes, joins, parts, borders, gathered elements."""

from __future__ import annotations

from typing import Final

import numpy as np

from tvmscript.frontend.tensor_info import shape_of
from tvmscript.frontend.tflite.operators.elementwise import activate
from tvmscript.frontend.tflite.operators.slices import slices
from tvmscript.frontend.tflite.operators.table import operator
from tvmscript.frontend.tflite.read_model import schema
from tvmscript.frontend.tflite.values import Array, Node, scalar
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R, T

#: most numbers of a range, which is computed when the model is imported
_LONGEST_RANGE: Final = 1 << 24


def new_shape(node: Node) -> list[int]:
    """Return the shape that RESHAPE gives: an input or an option."""
    return node.integers(1) if node.has(1) else [int(size) for size in node.option("newShape", ())]


@operator("RESHAPE")
def reshape(node: Node) -> RelaxExpr:
    """Return the elements in another shape."""
    return R.reshape(node.tensor(0), new_shape(node))


@operator("SQUEEZE")
def squeeze(node: Node) -> RelaxExpr:
    """Remove axes of one element."""
    axes = node.option("squeezeDims", None)
    return R.squeeze(node.tensor(0), None if axes is None or not len(axes) else [int(axis) for axis in axes])


@operator("EXPAND_DIMS")
def expand_dims(node: Node) -> RelaxExpr:
    """Add an axis of one element."""
    return R.expand_dims(node.tensor(0), node.integers(1))


@operator("SHAPE")
def shape(node: Node) -> Array:
    """Return the sizes."""
    return np.array(shape_of(node.tensor(0)), node.outputs[0].dtype)


@operator("RANK")
def rank(node: Node) -> Array:
    """Return the number of axes."""
    return np.array(len(shape_of(node.tensor(0))), "int32")


@operator("TRANSPOSE")
def transpose(node: Node) -> RelaxExpr:
    """Return the axes in another order."""
    return R.permute_dims(node.tensor(0), node.integers(1))


@operator("CONCATENATION")
def concatenation(node: Node) -> RelaxExpr:
    """Join tensors along an axis."""
    return activate(node, R.concat(tuple(node.tensors()), node.option("axis")))


@operator("PACK")
def pack(node: Node) -> RelaxExpr:
    """Join tensors along a new axis."""
    return R.stack(tuple(node.tensors()), node.option("axis"))


@operator("UNPACK")
def unpack(node: Node) -> list[RelaxExpr]:
    """Return the parts along an axis, without it."""
    x, axis = node.tensor(0), node.option("axis")
    count = len(node.outputs)
    return [R.squeeze(part, [axis]) for part in _parts(x, count, axis, count)]


def _parts(x: RelaxExpr, sections: int | list[int], axis: int, count: int) -> list[RelaxExpr]:
    if count == 1:
        return [x]
    parts = R.split(x, sections, axis)
    return [parts[place] for place in range(count)]


@operator("SPLIT")
def split(node: Node) -> list[RelaxExpr]:
    """Return equal parts along an axis."""
    return _parts(node.tensor(1), len(node.outputs), int(node.constant(0).item()), len(node.outputs))


@operator("SPLIT_V")
def split_by_sizes(node: Node) -> list[RelaxExpr]:
    """Return parts of given sizes along an axis."""
    x, sizes, axis = node.tensor(0), node.integers(1), int(node.constant(2).item())
    rest = shape_of(x)[axis] - sum(size for size in sizes if size != -1)
    sizes = [rest if size == -1 else size for size in sizes]
    return _parts(x, [sum(sizes[: place + 1]) for place in range(len(sizes) - 1)], axis, len(sizes))


@operator("SLICE")
def slice_by_sizes(node: Node) -> RelaxExpr:
    """Return the range of each axis from a place on."""
    x, begins, sizes = node.tensor(0), node.integers(1), node.integers(2)
    ends = [
        extent if size == -1 else begin + size for begin, size, extent in zip(begins, sizes, shape_of(x), strict=True)
    ]
    return R.strided_slice(x, list(range(len(begins))), begins, ends)


@operator("STRIDED_SLICE")
def strided_slice(node: Node) -> RelaxExpr:
    """Return ranges of axes, elements of others, and new axes."""
    x = node.tensor(0)
    axes: list[int] = []
    bounds: list[tuple[int, int, int]] = []
    removed: list[int] = []
    added: list[int] = []
    axis = place = 0
    for index in slices(node, shape_of(x)):
        if index is None:
            added.append(place)
            place += 1
            continue
        size = shape_of(x)[axis]
        if isinstance(index, int):
            begin = index % size
            bounds.append((begin, begin + 1, 1))
            removed.append(axis)
        else:
            begin, end, step = index.indices(size)
            bounds.append((begin, -size - 1 if step < 0 and end < 0 else end, step))
            place += 1
        axes.append(axis)
        axis += 1
    if axes:
        begins, ends, steps = ([bound[side] for bound in bounds] for side in range(3))
        x = R.strided_slice(x, axes, begins, ends, steps)
    if removed:
        x = R.squeeze(x, removed)
    return R.expand_dims(x, added) if added else x


@operator("REVERSE_V2")
def reverse(node: Node) -> RelaxExpr:
    """Return axes from back to front."""
    x = node.tensor(0)
    for axis in node.integers(1):
        x = R.flip(x, axis)
    return x


@operator("TILE")
def tile(node: Node) -> RelaxExpr:
    """Repeat a tensor along its axes."""
    return R.tile(node.tensor(0), node.integers(1))


@operator("BROADCAST_TO")
def broadcast_to(node: Node) -> RelaxExpr:
    """Return a tensor in a larger shape."""
    return R.broadcast_to(node.tensor(0), R.shape(node.integers(1)))


@operator("FILL")
def fill(node: Node) -> RelaxExpr:
    """Return a tensor of one number."""
    return R.full(R.shape(node.integers(0)), node.tensor(1), node.outputs[0].dtype)


@operator("RANGE")
def arange(node: Node) -> Array:
    """Return numbers from a first one on, in equal steps. Raises `InvalidModel`."""
    begin, end, step = (node.constant(index).item() for index in range(3))
    if abs((end - begin) / step) > _LONGEST_RANGE:
        node.invalid(f"ranges of more than {_LONGEST_RANGE:,} numbers are not supported")
    dtype = node.outputs[0].dtype
    if dtype not in ("int32", "int64", "float32"):
        node.invalid(f"ranges of {dtype} are not supported")
    return np.arange(begin, end, step).astype(dtype)


@operator("GATHER")
def gather(node: Node) -> RelaxExpr:
    """Return elements of an axis."""
    if node.option("batchDims"):
        node.invalid("it gathers in batches")
    return R.take(node.tensor(0), node.tensor(1), node.option("axis"))


@operator("GATHER_ND")
def gather_nd(node: Node) -> RelaxExpr:
    """Return the parts at indices."""
    return R.gather_nd(node.tensor(0), node.tensor(1))


@operator("EMBEDDING_LOOKUP")
def embedding_lookup(node: Node) -> RelaxExpr:
    """Return rows of a table."""
    return R.take(node.tensor(1), node.tensor(0), 0)


@operator("ONE_HOT")
def one_hot(node: Node) -> RelaxExpr:
    """Return rows with one number where the index says, and another one elsewhere."""
    dtype = node.outputs[0].dtype
    on, off = (R.prim_value(getattr(T, dtype)(node.constant(index).item())) for index in (2, 3))
    return R.one_hot(node.tensor(0), on, off, int(node.constant(1).item()), node.option("axis"))


@operator("PAD", "PADV2")
def pad(node: Node) -> RelaxExpr:
    """Return a tensor with borders of one number."""
    value = node.constant(2).item() if node.has(2) else 0.0
    return R.nn.pad(node.tensor(0), node.integers(1), value)


@operator("MIRROR_PAD")
def mirror_pad(node: Node) -> RelaxExpr:
    """Return a tensor with borders of its own elements, with or without those at the edge."""
    x = node.tensor(0)
    first = 1 if node.option("mode") == schema().MirrorPadMode.REFLECT else 0
    for axis, (begin, end) in enumerate(np.reshape(node.integers(1), (-1, 2)).tolist()):
        size = shape_of(x)[axis]
        if not 0 <= begin <= size - first or not 0 <= end <= size - first:
            node.invalid("its borders are wider than the tensor")
        borders = [(first, first + begin), (size - first - end, size - first)]
        before, after = (R.flip(R.strided_slice(x, [axis], [low], [high]), axis) for low, high in borders)
        x = R.concat(([before] if begin else []) + [x] + ([after] if end else []), axis) if begin or end else x
    return x


@operator("SPACE_TO_DEPTH")
def space_to_depth(node: Node) -> RelaxExpr:
    """Move blocks of images to channels."""
    x, block = node.tensor(0), int(node.option("blockSize"))
    n, h, w, c = shape_of(x)
    x = R.reshape(x, R.shape([n, h // block, block, w // block, block, c]))
    return R.reshape(R.permute_dims(x, [0, 1, 3, 2, 4, 5]), R.shape([n, h // block, w // block, block * block * c]))


@operator("DEPTH_TO_SPACE")
def depth_to_space(node: Node) -> RelaxExpr:
    """Move channels to blocks of images."""
    x, block = node.tensor(0), int(node.option("blockSize"))
    n, h, w, c = shape_of(x)
    depth = c // block**2
    x = R.reshape(x, R.shape([n, h, w, block, block, depth]))
    return R.reshape(R.permute_dims(x, [0, 1, 3, 2, 4, 5]), R.shape([n, h * block, w * block, depth]))


@operator("SPACE_TO_BATCH_ND")
def space_to_batch(node: Node) -> RelaxExpr:
    """Move blocks of padded images to the batch."""
    x, (p, q) = node.tensor(0), node.integers(1)
    x = R.nn.pad(x, [0, 0, *node.integers(2), 0, 0])
    n, h, w, c = shape_of(x)
    x = R.reshape(x, R.shape([n, h // p, p, w // q, q, c]))
    return R.reshape(R.permute_dims(x, [2, 4, 0, 1, 3, 5]), R.shape([p * q * n, h // p, w // q, c]))


@operator("BATCH_TO_SPACE_ND")
def batch_to_space(node: Node) -> RelaxExpr:
    """Move the batch to blocks of images, and cut borders off."""
    x, (p, q), (top, bottom, left, right) = node.tensor(0), node.integers(1), node.integers(2)
    n, h, w, c = shape_of(x)
    x = R.permute_dims(R.reshape(x, R.shape([p, q, n // (p * q), h, w, c])), [2, 3, 0, 4, 1, 5])
    x = R.reshape(x, R.shape([n // (p * q), h * p, w * q, c]))
    return R.strided_slice(x, [1, 2], [top, left], [h * p - bottom, w * q - right])


@operator("SCATTER_ND")
def scatter_nd(node: Node) -> RelaxExpr:
    """Return zeros with sums of updates at indices."""
    updates = node.tensor(1)
    zeros = R.full(R.shape(node.integers(2)), scalar(0, updates))
    return R.scatter_nd(zeros, R.astype(node.tensor(0), "int64"), updates, "add")
