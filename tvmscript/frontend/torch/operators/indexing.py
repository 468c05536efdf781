"""Operators that read elements at places that tensors hold."""

from __future__ import annotations

from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.operators.slicing import take
from tvmscript.frontend.torch.registry import converts
from tvmscript.frontend.torch.values import Operand, Size
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import PrimValue
from tvmscript.ir.relax.op import binary, create, manipulate, scatter, search, statistical, unary
from tvmscript.ir.relax.op.index import gather_elements, index_tensor, one_hot
from tvmscript.ir.relax.op.set import nonzero
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import Var
from tvmscript.ir.topi import inventory

#: for each axis a tensor of places, None for all of the axis
Places = Sequence[RelaxExpr | None]


@converts("index", "_unsafe_index")
def _index(ctx: Context, x: RelaxExpr, indices: Places) -> RelaxExpr:
    return index_tensors(ctx, x, indices)


def index_tensors(ctx: Context, x: RelaxExpr, indices: Places) -> RelaxExpr:
    """Emit the elements at the places of tensors that broadcast together, as NumPy indexes."""
    indices = of_integers(ctx, x, indices)
    axes = [axis for axis, places in enumerate(indices) if places is not None]
    tensors = [places for places in indices if places is not None]
    if len(tensors) == 1:
        return take(ctx, x, _from_front(ctx, tensors[0], ctx.shape(x)[axes[0]]), axes[0])
    rank = ctx.ndim(x)
    others = [axis for axis in range(rank) if axis not in axes]
    moved = x if axes == list(range(len(axes))) else ctx.permute(x, [*axes, *others])
    extents = ctx.shape(x)
    places = [_from_front(ctx, tensor, extents[axis]) for tensor, axis in zip(tensors, axes, strict=True)]
    result = ctx.call(index_tensor, moved, places)
    if axes[-1] - axes[0] != len(axes) - 1 or axes[0] == 0:
        return result  # the axes of places come first
    width = max(ctx.ndim(tensor) for tensor in tensors)
    before = list(range(width, width + axes[0]))
    return ctx.permute(result, [*before, *range(width), *range(width + axes[0], width + len(others))])


def of_integers(ctx: Context, x: RelaxExpr, indices: Places) -> list[RelaxExpr | None]:
    """Replace masks by the places of their true elements, whose number is unknown until the graph runs."""
    result: list[RelaxExpr | None] = []
    for places in indices:
        if places is not None and ctx.dtype(places) == "bool":
            rows = places_of(ctx, places)
            result += [ctx.reshape(ctx.slice(rows, 0, axis, axis + 1), [-1]) for axis in range(ctx.ndim(places))]
        else:
            result.append(places)
    return result


def _from_front(ctx: Context, places: RelaxExpr, extent: Size) -> RelaxExpr:
    """Return places counted from the front. Constants show whether any are counted from the end."""
    data = getattr(places, "data", None)
    if data is not None and (data.size == 0 or data.min() >= 0):
        return places
    if data is not None and isinstance(extent, int):
        return ctx.constant(data + (data < 0) * extent, ctx.dtype(places))
    return places


def places_of(ctx: Context, mask: RelaxExpr) -> RelaxExpr:
    """Emit the places of the elements that are not zero: (rank, number of them), the number being a new size."""
    rows = ctx.call(nonzero, ctx.reshape(mask, ctx.shape(mask) or [1]))
    count = Var(ctx.fresh("selected"), "int64")
    return ctx.builder.match_cast(rows, TensorStructInfo((ctx.ndim(mask) or 1, count), "int64"))


@converts("nonzero")
def _nonzero(ctx: Context, x: RelaxExpr, as_tuple: bool = False) -> object:
    rows = places_of(ctx, x)
    if not as_tuple and ctx.ndim(x) == 0:  # one row without places, if the element is not zero
        return ctx.permute(ctx.slice(rows, 0, 0, 0), [1, 0])
    if not as_tuple:
        return ctx.permute(rows, [1, 0])
    return [ctx.reshape(ctx.slice(rows, 0, axis, axis + 1), [-1]) for axis in range(ctx.ndim(x) or 1)]


@converts("nonzero_numpy")
def _nonzero_numpy(ctx: Context, x: RelaxExpr) -> object:
    return _nonzero(ctx, x, True)


@converts("masked_select")
def _masked_select(ctx: Context, x: RelaxExpr, mask: RelaxExpr) -> RelaxExpr:
    x, mask = _of_one_shape(ctx, x, mask)
    places = ctx.call(manipulate.squeeze, places_of(ctx, ctx.reshape(mask, [-1])), [0])
    return take(ctx, ctx.reshape(x, [-1]), places, 0)


def _of_one_shape(ctx: Context, a: RelaxExpr, b: RelaxExpr) -> tuple[RelaxExpr, RelaxExpr]:
    shapes = ctx.shape(a), ctx.shape(b)
    rank = max(len(shape) for shape in shapes)
    ones: list[Size] = [1] * rank
    first, second = (ones[len(shape) :] + shape for shape in shapes)
    extents = [x if y == 1 else y for x, y in zip(first, second, strict=True)]
    return ctx.broadcast(a, extents), ctx.broadcast(b, extents)


@converts("where")
def _where(ctx: Context, condition: RelaxExpr, x: Operand | None = None, other: Operand | None = None) -> object:
    if x is None or other is None:
        return _nonzero(ctx, condition, True)
    return ctx.select(condition, x, other)


@converts("masked_fill")
def _masked_fill(ctx: Context, x: RelaxExpr, mask: RelaxExpr, value: Operand) -> RelaxExpr:
    filling = ctx.call(create.full_like, x, ctx.tensor(value, ctx.dtype(x)))
    return ctx.call(search.where, ctx.truth(mask), filling, x)


@converts("masked_scatter")
def _masked_scatter(ctx: Context, x: RelaxExpr, mask: RelaxExpr, source: RelaxExpr) -> RelaxExpr:
    x, mask = _of_one_shape(ctx, x, mask)
    shape, flat_mask = ctx.shape(x), ctx.reshape(mask, [-1])
    order = ctx.call(statistical.cumsum, ctx.cast(flat_mask, "int64"), 0)
    places = ctx.binary(binary.maximum, ctx.binary(binary.subtract, order, 1), 0)
    chosen = take(ctx, ctx.reshape(source, [-1]), places, 0)
    return ctx.reshape(ctx.call(search.where, flat_mask, chosen, ctx.reshape(x, [-1])), shape)


@converts("gather")
def _gather(ctx: Context, x: RelaxExpr, dim: int, index: RelaxExpr) -> RelaxExpr:
    shape = ctx.shape(index)
    if 0 in shape:  # of any rank
        return ctx.full(shape, 0, ctx.dtype(x))
    x, index = (ctx.reshape(operand, ctx.shape(operand) or [1]) for operand in (x, index))
    return ctx.reshape(ctx.call(gather_elements, x, index, axis=ctx.axis(x, dim)), shape)


@converts("take_along_dim")
def _take_along_dim(ctx: Context, x: RelaxExpr, indices: RelaxExpr, dim: int | None = None) -> RelaxExpr:
    if dim is None:
        return _gather(ctx, ctx.reshape(x, [-1]), 0, ctx.reshape(indices, [-1]))
    axis, extents = ctx.axis(x, dim), list(zip(ctx.shape(x), ctx.shape(indices), strict=True))
    common = [own if other == 1 else other for own, other in extents]
    own, others = ([*common[:axis], pair[axis], *common[axis + 1 :]] for pair in zip(*extents, strict=True))
    return _gather(ctx, ctx.broadcast(x, own), axis, ctx.broadcast(indices, others))


@converts("embedding")
def _embedding(ctx: Context, weight: RelaxExpr, indices: RelaxExpr, padding_idx: int = -1) -> RelaxExpr:
    places = ctx.cast(indices, "int32")
    if ctx.ndim(places) == 1:
        return take(ctx, weight, places, 0)
    rows = take(ctx, weight, ctx.reshape(places, [-1]), 0)
    return ctx.reshape(rows, [*ctx.shape(indices), ctx.shape(weight)[-1]])


@converts("functional.embedding")
def _functional_embedding(
    ctx: Context, indices: RelaxExpr, weight: RelaxExpr, padding_idx: int | None = None
) -> RelaxExpr:
    return _embedding(ctx, weight, indices)


@converts("one_hot")
def _one_hot(ctx: Context, x: RelaxExpr, num_classes: int = -1) -> RelaxExpr:
    if num_classes < 0:
        ctx.fail("one_hot needs num_classes: the number of classes must be known when the model is imported")
    one, zero = (PrimValue(ctx.number(value, "int64")) for value in (1, 0))
    return ctx.call(one_hot, x, one, zero, num_classes)


@converts("bucketize")
def _bucketize(
    ctx: Context, x: RelaxExpr, boundaries: RelaxExpr, out_int32: bool = False, right: bool = False
) -> RelaxExpr:
    return ctx.call(search.bucketize, x, boundaries, out_int32, right)


@converts("searchsorted")
def _searchsorted(
    ctx: Context,
    sorted_sequence: RelaxExpr,
    x: Operand,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: RelaxExpr | None = None,
) -> RelaxExpr:
    if sorter is not None:
        sorted_sequence = ctx.call(gather_elements, sorted_sequence, sorter, axis=-1)
    is_right = right or side == "right"
    if not isinstance(x, RelaxExpr):
        x = ctx.tensor(x, ctx.common_dtype(sorted_sequence, x))
    if ctx.ndim(sorted_sequence) == 1:
        return _bucketize(ctx, x, sorted_sequence, out_int32, is_right)
    dtype = "int32" if out_int32 else "int64"
    return ctx.kernel(inventory().searchsorted, sorted_sequence, x, right=is_right, out_dtype=dtype)


@converts("isin")
def _isin(
    ctx: Context,
    elements: RelaxExpr,
    test_elements: RelaxExpr,
    assume_unique: bool = False,
    invert: bool = False,
) -> RelaxExpr:
    flat = ctx.reshape(test_elements, [-1])
    equal = ctx.binary(binary.equal, ctx.call(manipulate.expand_dims, elements, -1), flat)
    present = ctx.truth(ctx.call(statistical.max, ctx.cast(equal, "int8"), [-1]))
    return ctx.call(unary.logical_not, present) if invert else present


def put(ctx: Context, x: RelaxExpr, indices: Sequence[RelaxExpr], values: RelaxExpr) -> RelaxExpr:
    """Emit a tensor with other elements at places."""
    return ctx.call(scatter.index_put, x, list(indices), values, False)
