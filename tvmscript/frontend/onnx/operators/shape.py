"""Operators that change the shape of a tensor, or return it."""

from __future__ import annotations

from typing import Any

import numpy as np

from tvmscript.frontend.onnx.context import MOST_SIZES, Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.table import operator
from tvmscript.frontend.onnx.values import Size, dtype_of, product, rank_of, scalar, shape_expr, sizes_array, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


@operator("Shape")
def shape(context: Context, node: Node) -> Any:
    """Return the shape, known or as expressions of symbolic sizes."""
    sizes = sizes_of(node.tensor(0))
    return sizes_array(sizes[node.integer("start", 0) : node.integer("end", len(sizes))])


@operator("Size")
def size(context: Context, node: Node) -> Any:
    """Return the number of elements."""
    return sizes_array([product(sizes_of(node.tensor(0)))]).reshape(())


@operator("Reshape", 1)
def reshape_by_attribute(context: Context, node: Node) -> RelaxExpr:
    """Return the elements in another shape, an attribute."""
    x = node.tensor(0)
    return R.reshape(x, shape_expr(_target(node, sizes_of(x), node.integers("shape"), False)))


@operator("Reshape", 5)
def reshape(context: Context, node: Node) -> RelaxExpr:
    """Return the elements in another shape, an input."""
    x = node.tensor(0)
    keeps_zero = bool(node.integer("allowzero", 0))
    if node.array(1) is not None:
        return R.reshape(x, shape_expr(_target(node, sizes_of(x), node.sizes(1, "shape"), keeps_zero)))
    return R.reshape(x, shape_expr(context.runtime_sizes(_runtime_target(context, node, keeps_zero))))


def _target(node: Node, sizes: list[Size], shape: list[Size], keeps_zero: bool) -> list[Size]:
    """Return the new shape, where 0 takes the old size and -1 what remains."""
    if not keeps_zero:
        shape = [sizes[index] if isinstance(size, int) and size == 0 else size for index, size in enumerate(shape)]
    unknown = [index for index, size in enumerate(shape) if isinstance(size, int) and size == -1]
    if not unknown:
        return shape
    others = product(size for index, size in enumerate(shape) if index != unknown[0])
    total = product(sizes)
    if isinstance(others, int) and others == 0:
        raise node.invalid(f"the shape {shape} has no unique size at -1")
    if isinstance(others, int) and isinstance(total, int) and total % others:
        raise node.invalid(f"{sizes} has not the elements of {shape}")
    shape = list(shape)
    shape[unknown[0]] = product([total // others])
    return shape


def _runtime_target(context: Context, node: Node, keeps_zero: bool) -> RelaxExpr:
    """Return the new shape as a tensor, computed from an input."""
    given, sizes = context.emit(node.tensor(1)), sizes_of(node.tensor(0))
    (count,) = sizes_of(given)
    if not isinstance(count, int) or count > MOST_SIZES:
        raise node.invalid(f"its shape needs a known number of sizes, up to {MOST_SIZES:,}")
    if not keeps_zero:
        own = [*sizes, *[1] * count][:count]
        given = context.emit(R.where(R.equal(given, R.const(0, "int64")), R.shape_to_tensor(R.shape(own)), given))
    total = R.shape_to_tensor(R.shape([product(sizes)]))
    others = R.negative(R.prod(given, axis=[0], keepdims=True))
    is_unknown = R.equal(given, R.const(-1, "int64"))
    # without -1 the quotient is not used: its divisor must not be zero all the same
    divisor = R.where(R.equal(others, R.const(0, "int64")), R.const(1, "int64"), others)
    return R.where(is_unknown, R.floor_divide(total, divisor), given)


@operator("Flatten")
def flatten(context: Context, node: Node) -> RelaxExpr:
    """Return a matrix: the axes before one, and the others."""
    x = node.tensor(0)
    sizes, axis = sizes_of(x), node.integer("axis", 1)
    axis = axis if axis >= 0 else axis + len(sizes)
    return R.reshape(x, shape_expr([product(sizes[:axis]), product(sizes[axis:])]))


@operator("Squeeze")
def squeeze(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor without axes of size 1."""
    x, axes = node.tensor(0), node.ints_or(1, "axes")
    if axes is None and node.has(1):
        axes = [int(axis) for axis in node.constant(1, "axes")]
    if axes is None:
        # a symbolic size is not 1
        axes = [axis for axis, size in enumerate(sizes_of(x)) if isinstance(size, int) and size == 1]
    return R.squeeze(x, axes)


@operator("Unsqueeze")
def unsqueeze(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor with new axes of size 1."""
    axes = node.ints_or(1, "axes")
    if axes is None:
        return R.expand_dims(node.tensor(0), node.constant(1, "axes").tolist())
    return R.expand_dims(node.tensor(0), axes)


@operator("Transpose")
def transpose(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor with its axes in another order."""
    return R.permute_dims(node.tensor(0), node.integers("perm") if "perm" in node.attrs else None)


@operator("Concat")
def concat(context: Context, node: Node) -> RelaxExpr:
    """Return tensors joined along an axis."""
    tensors = [tensor for tensor in node.tensors() if sizes_of(tensor) != [0]]
    return R.concat(tuple(tensors or node.tensors()), axis=node.integer("axis", 1))


@operator("Expand")
def expand(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor broadcast to a shape, in both directions."""
    x = node.tensor(0)
    return R.broadcast_to(x, shape_expr(_broadcast(node, sizes_of(x), context.sizes_or_runtime(node, 1))))


def _broadcast(node: Node, own: list[Size], target: list[Size]) -> list[Size]:
    rank = max(len(own), len(target))
    sizes: list[Size] = []
    for a, b in zip([1] * (rank - len(own)) + own, [1] * (rank - len(target)) + target, strict=True):
        if isinstance(a, int) and isinstance(b, int) and a != b and 1 not in (a, b):
            raise node.invalid(f"{own} cannot be broadcast to {target}")
        # what is not known to be 1 decides
        sizes.append(b if isinstance(a, int) and a == 1 else a)
    return sizes


@operator("Tile", 1)
def tile_axis(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor repeated along one axis."""
    x = node.tensor(0)
    repeats = [1] * rank_of(x)
    repeats[node.constant(2, "axis").item()] = node.constant(1, "tiles").item()
    return R.tile(x, repeats)


@operator("Tile", 6)
def tile(context: Context, node: Node) -> RelaxExpr:
    """Return the tensor repeated along its axes."""
    x, known = node.tensor(0), node.array(1)
    if known is not None and known.dtype != object:
        return R.tile(x, [int(count) for count in known.reshape(-1).tolist()])
    repeats, sizes = context.sizes_or_runtime(node, 1), sizes_of(x)
    rank = len(sizes)
    # each axis becomes (repeats, size): the first is broadcast
    spread = R.reshape(x, shape_expr([size for extent in sizes for size in (1, extent)]))
    whole = [size for count, extent in zip(repeats, sizes, strict=True) for size in (count, extent)]
    joined = [product([repeats[axis], sizes[axis]]) for axis in range(rank)]
    return R.reshape(R.broadcast_to(spread, shape_expr(whole)), shape_expr(joined))


@operator("DepthToSpace")
def depth_to_space(context: Context, node: Node) -> RelaxExpr:
    """Return blocks of channels moved into blocks of pixels."""
    x, block = node.tensor(0), node.integer("blocksize")
    batch, channels, height, width = sizes_of(x)
    depth = product([channels // (block * block)])
    is_dcr = node.text("mode", "DCR") == "DCR"
    split = [batch, block, block, depth, height, width] if is_dcr else [batch, depth, block, block, height, width]
    order = [0, 3, 4, 1, 5, 2] if is_dcr else [0, 1, 4, 2, 5, 3]
    mixed = R.permute_dims(R.reshape(x, shape_expr(split)), order)
    return R.reshape(mixed, shape_expr([batch, depth, product([height, block]), product([width, block])]))


@operator("SpaceToDepth")
def space_to_depth(context: Context, node: Node) -> RelaxExpr:
    """Return blocks of pixels moved into blocks of channels, depth first or column and row first."""
    x, block = node.tensor(0), node.integer("blocksize")
    batch, channels, height, width = sizes_of(x)
    rows, columns = product([height // block]), product([width // block])
    split = R.reshape(x, shape_expr([batch, channels, rows, block, columns, block]))
    is_crd = node.attrs.get("mode", b"DCR") == b"CRD"
    order = [0, 1, 3, 5, 2, 4] if is_crd else [0, 3, 5, 1, 2, 4]
    depth = product([channels, block, block])
    return R.reshape(R.permute_dims(split, order), shape_expr([batch, depth, rows, columns]))


@operator("Dropout")
def dropout(context: Context, node: Node) -> Any:
    """Return the data, and a mask of ones; in training the ratio must be 0."""
    x = node.tensor(0)
    if node.has(2) and bool(node.constant(2, "training_mode").reshape(())):
        ratio = float(node.constant(1, "ratio").reshape(())) if node.has(1) else 0.5
        if ratio != 0:
            return _drawn_dropout(node, x, ratio)
    if len(node.output_names) == 1:
        return x
    kind = "bool" if node.version >= 10 else dtype_of(x)
    return [x, R.ones(shape_expr(sizes_of(x)), kind)]


def _drawn_dropout(node: Node, x: RelaxExpr, ratio: float) -> list[RelaxExpr]:
    """Return the data where a mask holds, which is drawn when the model is imported: graphs have no state."""
    shape = [int(size) for size in sizes_of(x)]
    mask = np.random.RandomState(node.attrs.get("seed")).uniform(0, 1.0, shape) >= ratio
    scale = 1 / (1 - ratio) if ratio < 1 else 0.0
    kept: list[RelaxExpr] = [R.multiply(x, R.const(mask * scale, dtype_of(x))), R.const(mask, "bool")]
    return kept[: len(node.output_names)]


@operator("Trilu")
def trilu(context: Context, node: Node) -> RelaxExpr:
    """Return the upper or the lower triangle."""
    x = node.tensor(0)
    triangle = R.triu if node.integer("upper", 1) else R.tril
    if not node.has(1) or node.array(1) is not None:
        return triangle(x, node.constant(1, "k").item() if node.has(1) else 0)
    rows, columns = sizes_of(x)[-2:]
    row = R.reshape(R.arange(0, rows, 1, dtype="int64"), shape_expr([rows, 1]))
    offset = R.subtract(R.reshape(R.arange(0, columns, 1, dtype="int64"), shape_expr([1, columns])), row)
    inside = (R.greater_equal if node.integer("upper", 1) else R.less_equal)(offset, node.tensor(1))
    return R.where(inside, x, scalar(0, x))


@operator("EyeLike")
def eye_like(context: Context, node: Node) -> RelaxExpr:
    """Return ones on a diagonal of zeros."""
    from_type = node.attrs.get("dtype")
    dtype = context.dtype(node, from_type) if from_type is not None else dtype_of(node.tensor(0))
    rows, columns = sizes_of(node.tensor(0))
    return R.eye(rows, columns, node.integer("k", 0), dtype=dtype)


@operator("CenterCropPad")
def center_crop_pad(context: Context, node: Node) -> RelaxExpr:
    """Return the middle of axes that are too large, and zeros around those that are too small."""
    x, sizes = node.tensor(0), sizes_of(node.tensor(0))
    axes = node.integers("axes", range(len(sizes)))
    target = dict(zip([node.axis(axis, len(sizes)) for axis in axes], node.sizes(1, "shape"), strict=True))
    begins, ends, pads = [0] * len(sizes), list(sizes), [(0, 0)] * len(sizes)
    for axis, wanted in target.items():
        if sizes[axis] >= wanted:
            begins[axis] = (sizes[axis] - wanted) // 2
            ends[axis] = begins[axis] + wanted
        else:
            before = (wanted - sizes[axis]) // 2
            pads[axis] = (before, wanted - sizes[axis] - before)
    cropped = R.strided_slice(x, list(range(len(sizes))), begins, ends)
    return R.nn.pad(cropped, [int(width) for pair in pads for width in pair], 0)


@operator("Det")
def determinant(context: Context, node: Node) -> RelaxExpr:
    """Return the determinants of matrices, by Gaussian elimination with pivots."""
    x = node.tensor(0)
    sizes = sizes_of(x)
    count = sizes[-1]
    if not isinstance(count, int):
        raise node.invalid("its matrices have a symbolic size")
    batch = product(sizes[:-2])
    rows = context.emit(R.reshape(x, shape_expr([batch, count, count])))
    result = context.emit(R.ones(shape_expr([batch]), dtype_of(x)))
    for step in range(count):
        rows, result = _eliminate(context, rows, result, count - step)
    return R.reshape(result, shape_expr(sizes[:-2]))


def _eliminate(context: Context, rows: RelaxExpr, result: RelaxExpr, count: int) -> tuple[RelaxExpr, RelaxExpr]:
    """Remove the first column of matrices by its largest element; multiply the result by it."""
    dtype = dtype_of(rows)
    column = R.squeeze(R.strided_slice(rows, [2], [0], [1]), [2])
    pivot = R.expand_dims(R.argmax(R.abs(column), axis=1), 1)
    is_pivot = context.emit(R.equal(R.const(np.arange(count)[None], "int64"), pivot))
    chosen = context.emit(R.astype(is_pivot, dtype))
    pivot_row = context.emit(R.sum(R.multiply(rows, R.expand_dims(chosen, 2)), axis=[1]))
    head = context.emit(R.strided_slice(pivot_row, [1], [0], [1]))
    is_zero = R.equal(head, scalar(0.0, head))
    factors = R.divide(column, R.where(is_zero, scalar(1.0, head), head))
    reduced = R.subtract(rows, R.multiply(R.expand_dims(factors, 2), R.expand_dims(pivot_row, 1)))
    # the row of the pivot moves to the front past those before it, each move changes the sign
    moves = R.sum(R.multiply(R.const(np.arange(count)[None] % 2 * -2.0 + 1.0, dtype), chosen), axis=[1])
    result = context.emit(R.multiply(result, R.multiply(moves, R.squeeze(head, [1]))))
    # rows behind the front: those before the pivot's row move back by one
    behind = np.arange(count - 1)
    shift = R.astype(R.greater_equal(R.const(behind[None], "int64"), pivot), "int64")
    places = R.expand_dims(R.add(R.const(behind[None], "int64"), shift), 2)
    if count == 1:
        return rows, result
    whole = R.broadcast_to(places, shape_expr([sizes_of(rows)[0], count - 1, count]))
    picked = R.gather_elements(reduced, whole, axis=1)
    return context.emit(R.strided_slice(picked, [2], [1], [count])), result
