"""Kernels of graph operators that are no operators of TVM's inventory: `topi.graph.mean(x, axis, keepdims)`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from types import NotImplementedType
from typing import Any

from tvmscript.ir.core import FLOAT32, INT32, INT64, VOID, DType
from tvmscript.ir.te import reduction as reducers
from tvmscript.ir.te.broadcast import broadcast_binary
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import EQ, Expr, Select, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.intrin.derived import max_value, min_value
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.broadcast import add, broadcast_to, divide, multiply, subtract
from tvmscript.ir.topi.common import Extents, function, known_int, normalize_axes, product
from tvmscript.ir.topi.create import full as full_of
from tvmscript.ir.topi.elementwise import cast, exp, tanh
from tvmscript.ir.topi.elementwise import erf as erf_of
from tvmscript.ir.topi.index import gather_nd as gather
from tvmscript.ir.topi.index import index_tensor as index_tensor
from tvmscript.ir.topi.join import repeat as repeat_along
from tvmscript.ir.topi.join import split as split_along
from tvmscript.ir.topi.kernels import kernel
from tvmscript.ir.topi.nn.matmul import batch_matmul
from tvmscript.ir.topi.nn.normalization import instance_norm_of_channels as instance_norm_of_channels
from tvmscript.ir.topi.nn.padding import circular_pad, mirror_pad, replicate_pad
from tvmscript.ir.topi.nn.padding import pad as pad_with
from tvmscript.ir.topi.nn.softmax import softmax
from tvmscript.ir.topi.random import multinomial_from_uniform as multinomial_from_uniform
from tvmscript.ir.topi.reduction import max as max_over
from tvmscript.ir.topi.reduction import sum as sum_over
from tvmscript.ir.topi.scatter import index_put as index_put
from tvmscript.ir.topi.scatter import scatter_nd as scatter
from tvmscript.ir.topi.shape import reshape, transpose
from tvmscript.ir.topi.shape import shape as shape_of
from tvmscript.ir.topi.slice import slice_scatter as slice_scatter
from tvmscript.ir.topi.slice import trilu
from tvmscript.ir.topi.sort import argsort


def atan2(a: Tensor, b: Tensor) -> Tensor:
    """Return numpy.arctan2."""
    return broadcast_binary("T_atan2", function("atan2"), a, b)


def log_add_exp(a: Tensor, b: Tensor) -> Tensor:
    """Return numpy.logaddexp: log(exp(a) + exp(b)), with the larger one taken out of the sum."""

    def value(x: Expr, y: Expr) -> Expr:
        return function("max")(x, y) + function("log")(1 + function("exp")(-function("abs")(x - y)))

    return broadcast_binary("T_log_add_exp", value, a, b)


def of_bools(operator: Callable[..., Tensor], *operands: Tensor) -> Tensor:
    """Return an operator of truth values, with operands and result of one dtype."""
    dtype = operands[0].dtype
    if dtype.is_bool:
        return operator(*operands)
    return cast(operator(*[cast(x, "bool") for x in operands]), dtype)


def expand_dims(x: Tensor, axes: Sequence[int]) -> Tensor:
    """Return numpy.expand_dims; axes are counted in the result."""
    rank = x.ndim + len(axes)
    new = normalize_axes(axes, rank, "graph.expand_dims")
    old = [axis for axis in range(rank) if axis not in new]
    extents = dict(zip(old, x.shape, strict=True))
    shape = [extents.get(axis, 1) for axis in range(rank)]
    return compute(shape, lambda *i: x(*[i[axis] for axis in old]), "expand_dims")


def repeat(x: Tensor, repeats: int, axis: int | None) -> Tensor:
    """Return numpy.repeat; without an axis, of the flat tensor."""
    if axis is None:
        return repeat_along(reshape(x, [product(x.shape)]), repeats, 0)
    return repeat_along(x, repeats, axis)


def mean(x: Tensor, axis: Extents, keepdims: bool) -> Tensor:
    """Return numpy.mean, in the dtype of the elements."""
    axes = normalize_axes(axis, x.ndim, "graph.mean")
    return divide(sum_over(x, axis, keepdims), product([x.shape[each] for each in axes]))


def variance(x: Tensor, axis: Extents, keepdims: bool) -> Tensor:
    """Return numpy.var, in the dtype of the elements."""
    deviation = subtract(x, mean(x, axis, True))
    return mean(multiply(deviation, deviation), axis, keepdims)


def median(x: Tensor, axis: Extents | None, keepdims: bool) -> Tensor | list[Tensor]:
    """Return the lower median; along one axis also its index."""
    axes = normalize_axes(axis, x.ndim, "graph.median")
    kept = [each for each in range(x.ndim) if each not in axes]
    extents = [x.shape[each] for each in kept]
    length = product([x.shape[each] for each in axes])
    rows = reshape(transpose(x, [*kept, *axes]) if x.ndim else x, [*extents, length])
    order = argsort(rows, dtype="int64")
    middle = function("indexdiv")(rows.shape[-1] - 1, 2)
    shape = [1 if each in axes else extent for each, extent in enumerate(x.shape)] if keepdims else extents

    def place(i: Sequence[Expr]) -> Expr:
        return order(*_outer_indices(i), middle)

    def _outer_indices(i: Sequence[Expr]) -> list[Expr]:
        return [i[each] for each in kept] if keepdims else list(i)

    values = compute(shape, lambda *i: rows(*_outer_indices(i), place(i)), "median")
    is_single = axis is not None and len(axes) == 1
    return [values, compute(shape, lambda *i: place(i), "median_index")] if is_single else values


def matmul(a: Tensor, b: Tensor, out_dtype: DType) -> Tensor:
    """Return numpy.matmul, with elements converted to `out_dtype` before they are multiplied."""
    left_rows, right_columns = a.shape[-2:-1], b.shape[-1:] if b.ndim > 1 else ()
    left_batch, right_batch = a.shape[:-2], b.shape[:-2]
    batch = _broadcast(left_batch, right_batch)
    dtype = a.dtype if out_dtype is VOID else out_dtype

    def value(*i: Expr) -> Expr:
        k = reduce_axis((0, a.shape[-1]), "k")
        rows = i[len(batch) : len(batch) + len(left_rows)]
        columns = i[len(i) - len(right_columns) :] if right_columns else ()
        left = a(*_batch_indices(left_batch, batch, i), *rows, k.var)
        right = b(*_batch_indices(right_batch, batch, i), k.var, *columns)
        return reducers.sum(cast_expr(dtype, left) * cast_expr(dtype, right), axis=k)

    return compute((*batch, *left_rows, *right_columns), value, "matmul")


def _broadcast(left: Sequence[Expr], right: Sequence[Expr]) -> list[Expr]:
    """Return the shape of broadcast batches."""
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    offset = len(longer) - len(shorter)
    pairs = zip(longer[offset:], shorter, strict=True)
    return [*longer[:offset], *[b if known_int(a) == 1 else a for a, b in pairs]]


def _batch_indices(own: Sequence[Expr], batch: Sequence[Expr], i: Sequence[Expr]) -> list[Extent]:
    """Return the indices of an operand in its batch: 0 where its extent is spread."""
    offset = len(batch) - len(own)
    return [
        0 if known_int(extent) == 1 and known_int(whole) != 1 else index
        for extent, whole, index in zip(own, batch[offset:], i[offset:], strict=False)
    ]


def full(shape: Sequence[Extent], value: Tensor | Expr, dtype: DType) -> Tensor:
    """Return numpy.full; the value is a number or a tensor of rank 0."""
    element = value() if isinstance(value, Tensor) else value
    return full_of(shape, element.dtype if dtype is VOID else dtype, element)


def eye(rows: Extent, columns: Extent, k: Expr, dtype: DType) -> Tensor:
    """Return numpy.eye."""

    def value(i: Expr, j: Expr) -> Expr:
        return Select(EQ(j - i, cast_expr(i.dtype, k)), const(1, dtype), const(0, dtype))

    return compute((rows, columns), value, "eye")


def outer(a: Tensor, b: Tensor) -> Tensor:
    """Return numpy.outer of vectors, in the dtype of the first."""
    return compute((*a.shape, *b.shape), lambda i, j: cast_expr(a.dtype, a(i) * b(j)), "outer")


def hamming_window(size: Extent, periodic: Expr, alpha: Expr, beta: Expr, dtype: DType) -> Tensor:
    """Return alpha - beta * cos(2 pi i / N); N is the size if periodic, else the size minus 1. Halves are rounded once.

    R. W. Hamming, Digital Filters, 1977.
    """
    kind = DType("float64") if dtype is DType("float64") else FLOAT32
    whole = function("max")(size - cast_expr(INT64, EQ(periodic, const(0, periodic.dtype))), const(1, "int64"))

    def value(i: Expr) -> Expr:
        angle = const(2 * math.pi, kind) * cast_expr(kind, i) / cast_expr(kind, whole)
        return cast_expr(dtype, cast_expr(kind, alpha) - cast_expr(kind, beta) * function("cos")(angle))

    return compute((size,), value, "hamming_window")


def erf(x: Tensor) -> Tensor:
    """Return scipy.special.erf, of float16 computed in float32."""
    return cast(erf_of(cast(x, FLOAT32)), x.dtype) if x.dtype is DType("float16") else erf_of(x)


def gelu(x: Tensor) -> Tensor:
    """Return x times the normal distribution function of x."""
    half = const(0.5, x.dtype)
    return multiply(x, add(half, multiply(erf(multiply(x, const(0.5**0.5, x.dtype))), half)))


def gelu_tanh(x: Tensor) -> Tensor:
    """Return the approximation of gelu by tanh."""

    def constant(value: float) -> Expr:
        return const(value, x.dtype)

    inner = add(
        constant(1.0),
        tanh(
            multiply(
                multiply(constant(math.sqrt(2.0 / math.pi)), x),
                add(constant(1.0), multiply(multiply(constant(0.044715), x), x)),
            )
        ),
    )
    return multiply(multiply(constant(0.5), x), inner)


def selu(x: Tensor, scale: float, alpha: float) -> Tensor:
    """Return torch.nn.functional.selu."""

    def value(*i: Expr) -> Expr:
        element = x(*i)
        below = const(alpha, x.dtype) * (function("exp")(element) - const(1.0, x.dtype))
        return const(scale, x.dtype) * Select(element > const(0.0, x.dtype), element, below)

    return compute(x.shape, value, "selu")


def softplus(x: Tensor, beta: float, threshold: float) -> Tensor:
    """Return torch.nn.functional.softplus."""
    factor, limit = const(beta, x.dtype), const(threshold, x.dtype)

    def value(*i: Expr) -> Expr:
        element = x(*i)
        scaled = element * factor
        smooth = function("log")(function("exp")(function("min")(scaled, limit)) + const(1.0, x.dtype)) / factor
        return Select(scaled > limit, element, smooth)

    return compute(x.shape, value, "softplus")


def gather_nd(data: Tensor, indices: Tensor, batch_dims: int) -> Tensor:
    """Return ONNX's GatherND: the last axis of the indices are the places."""
    last = indices.ndim - 1
    return gather(data, transpose(indices, [last, *range(last)]), batch_dims)


def slice_bounds(x: Tensor, begin: Tensor, end: Tensor, strides: Tensor) -> list[Tensor]:
    """Return the first places and the shape of `x[begin:end:strides]`; extents are -1 for a stride of 0."""
    extents = shape_of(x, "int64")
    firsts, lasts = (compute((x.ndim,), _clamped_bounds(each, strides, extents), "bounds") for each in (begin, end))
    zero = const(0, "int64")

    def count(i: Expr) -> Expr:
        stride = strides(i)
        way, step = Select(stride < 0, firsts(i) - lasts(i), lasts(i) - firsts(i)), function("abs")(stride)
        steps = function("floordiv")(way + step - 1, step)
        return function("if_then_else")(EQ(stride, zero), const(-1, "int64"), function("max")(steps, zero))

    return [firsts, compute((x.ndim,), count, "counts")]


def _clamped_bounds(bounds: Tensor, strides: Tensor, extents: Tensor) -> Callable[[Expr], Expr]:
    """Return the function from an axis to a bound of its slice, counted from the front and clamped to the axis."""

    def bound(i: Expr) -> Expr:
        place, extent, is_back = bounds(i), extents(i), strides(i) < 0
        low = Select(is_back, const(-1, "int64"), const(0, "int64"))
        high = Select(is_back, extent - 1, extent)
        return function("max")(function("min")(Select(place < 0, place + extent, place), high), low)

    return bound


def dynamic_strided_slice(x: Tensor, firsts: Tensor, strides: Tensor, shape: Sequence[Extent]) -> Tensor:
    """Return so many elements of each axis from the first places on."""

    def value(*i: Expr) -> Expr:
        axes = [const(axis, "int64") for axis in range(x.ndim)]
        return x(*[firsts(axis) + index * strides(axis) for axis, index in zip(axes, i, strict=True)])

    return compute(shape, value, "dynamic_strided_slice")


def split(x: Tensor, how: int | Sequence[int], axis: int) -> list[Tensor] | NotImplementedType:
    """Return numpy.split at indices, or into equal sections; `NotImplemented` where sections are not equal."""
    extent = known_int(x.shape[axis])
    is_unequal = isinstance(how, int) and how != 1 and (extent is None or extent % how != 0)
    return NotImplemented if is_unequal else split_along(x, how, axis)


def scatter_nd(data: Tensor, indices: Tensor, updates: Tensor, mode: str) -> Tensor:
    """Return ONNX's ScatterND: the last axis of the indices are the places."""
    last = indices.ndim - 1
    return scatter(data, transpose(indices, [last, *range(last)]), updates, mode)


def pad(x: Tensor, value: Operand, widths: Sequence[int], mode: str) -> Tensor:
    """Return numpy.pad; `widths` are those before and after each dimension in turn."""
    before, after = list(widths[::2]), list(widths[1::2])
    if mode == "reflect":
        return mirror_pad(x, before, after, "REFLECT")
    if mode == "circular":
        return circular_pad(x, before, after)
    return replicate_pad(x, before, after) if mode in ("edge", "replicate") else pad_with(x, before, after, value)


def cross_entropy_with_logits(predictions: Tensor, labels: Tensor) -> Tensor:
    """Return the negative sum of the products of log probabilities and labels, averaged over the batch."""
    loss = multiply(sum_over(multiply(predictions, labels)), const(-1, predictions.dtype))
    return divide(loss, predictions.shape[0]) if predictions.ndim > 1 else loss


def ones_of_classes(predictions: Tensor) -> Tensor:
    """Return a weight of 1 for each class of predictions, whose axis 1 are classes."""
    return full_of([predictions.shape[1 if predictions.ndim > 1 else 0]], predictions.dtype, 1.0)


def nll_loss_backward(
    gradient: Tensor, predictions: Tensor, targets: Tensor, weights: Tensor, reduction: str, ignore_index: int
) -> Tensor:
    """Return the gradient of `nn.nll_loss` in the predictions, from that in its result."""

    if ignore_index >= 0:
        weights = _without_class(weights, ignore_index)
    all_weights = compute(targets.shape, lambda *i: weights(targets(*i)), "all_weights")
    if reduction != "none":
        gradient = broadcast_to(gradient, targets.shape)
    if reduction == "mean":
        gradient = divide(gradient, sum_over(all_weights))

    def value(*i: Expr) -> Expr:
        *batch, kind = i if predictions.ndim == 1 else (i[0], *i[2:], i[1])
        element = all_weights(*batch) * const(-1, predictions.dtype) * gradient(*batch)
        target = targets(*batch)
        return Select(EQ(cast_expr(target.dtype, kind), target), element, const(0, predictions.dtype))

    return compute(predictions.shape, value, "pred_grad")


def take_backward(gradient: Tensor, x: Tensor, indices: Tensor, axis: int | None) -> Tensor:
    """Return the gradient of numpy.take in `x`, from that in its result: elements that are taken twice add up."""
    place = 0 if axis is None else normalize_axes([axis], x.ndim, "graph.take_backward")[0]
    count, extent = product(indices.shape), x.shape[place]
    before, after = product(x.shape[:place]), product(x.shape[place + 1 :])

    def body(ib: IRBuilder, new: BufferVar, _: BufferVar, where: BufferVar, target: BufferVar) -> None:
        with ib.for_range(0, product(x.shape), "i") as i:
            target[i] = const(0, x.dtype)
        if axis is None:
            with ib.for_range(0, count, "serial") as step:
                target[where[step]] = target[where[step]] + new[step]
            return
        with ib.for_range(0, before * after, "parallel") as row, ib.for_range(0, count, "serial") as step:
            outer, inner = row // after * after, row % after
            goal = outer * extent + cast_expr(row.dtype, where[step]) * after + inner
            target[goal] = target[goal] + new[outer * count + step * after + inner]

    return kernel("take_backward", x.shape, x.dtype, [gradient, x, indices], body)


def _without_class(weights: Tensor, ignored: int) -> Tensor:
    def weight(i: Expr) -> Expr:
        return Select(EQ(i, const(ignored, i.dtype)), const(0, weights.dtype), weights(i))

    return compute(weights.shape, weight, "weights_new")


def attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    bias: Tensor | None,
    scale: float | None,
    causal_mask: str | None,
    window: int | None,
) -> Any:
    """Return softmax(query @ key.T * scale + bias) @ value of tensors (batch, length, heads, head size).

    A. Vaswani et al., "Attention Is All You Need", 2017. A causal mask leaves keys behind the diagonal out, which ends
    in the corner "TopLeft" or "BottomRight" of the scores. `NotImplemented` with a window, or heads that share keys.
    """
    batch, length, heads, size = query.shape
    shares_heads = any(known_int(x.shape[2]) != known_int(heads) for x in (key, value))
    if window is not None or shares_heads:
        return NotImplemented
    keys, value_size = key.shape[1], value.shape[3]

    def rows(x: Tensor, extents: Sequence[Extent]) -> Tensor:
        return reshape(transpose(x, [0, 2, 1, 3]), [batch * heads, *extents])

    queries, keys_of_head = rows(query, [length, size]), rows(key, [keys, size])
    scores = batch_matmul(queries, keys_of_head)
    if scale is None:
        scores = divide(scores, function("sqrt")(cast_expr(scores.dtype, size)))
    else:
        scores = multiply(scores, scale)
    if bias is not None:
        scores = add(reshape(scores, [batch, heads, length, keys]), bias)
        scores = reshape(scores, [batch * heads, length, keys])
    weights = softmax(scores) if causal_mask is None else _causal_softmax(scores, length, keys, causal_mask)
    result = batch_matmul(weights, rows(value, [keys, value_size]), transpose_b=False)
    return transpose(reshape(result, [batch, heads, length, value_size]), [0, 2, 1, 3])


def _causal_softmax(scores: Tensor, length: Extent, keys: Extent, causal_mask: str) -> Tensor:
    """Return the softmax of scores over the keys up to the diagonal."""
    last = const(0, "int32") if causal_mask == "TopLeft" else cast_expr("int32", function("abs")(length - keys))
    masked = trilu(scores, last, False)
    exponents = trilu(exp(subtract(masked, max_over(masked, -1, True))), last, False)
    return divide(exponents, sum_over(exponents, -1, True))


def quantize(data: Tensor, scale: Tensor, zero_point: Tensor, out_dtype: DType, axis: int) -> Tensor:
    """Return ONNX's QuantizeLinear."""

    def value(*i: Expr) -> Expr:
        scaled = data(*i) / _of_channel(scale, i, axis)
        rounded = function("round")(scaled) if out_dtype.is_integer else scaled
        return _clamped(rounded + cast_expr(rounded.dtype, _of_channel(zero_point, i, axis)), out_dtype)

    return compute(data.shape, value, "quantized")


def dequantize(data: Tensor, scale: Tensor, zero_point: Tensor, out_dtype: DType, axis: int) -> Tensor:
    """Return ONNX's DequantizeLinear."""
    wide = INT32 if data.dtype.is_integer else FLOAT32

    def value(*i: Expr) -> Expr:
        shifted = cast_expr(wide, data(*i)) - cast_expr(wide, _of_channel(zero_point, i, axis))
        result = cast_expr(FLOAT32, shifted) * cast_expr(FLOAT32, _of_channel(scale, i, axis))
        return result if out_dtype is FLOAT32 else _clamped(result, out_dtype)

    return compute(data.shape, value, "dequantized")


def _of_channel(x: Tensor, i: Sequence[Expr], axis: int) -> Expr:
    """Return the element of a channel, or the only one."""
    return x() if x.ndim == 0 else x(0) if known_int(x.shape[0]) == 1 else x(i[axis])


def _clamped(value: Expr, dtype: DType) -> Expr:
    """Return a value in the range of a dtype, converted to it."""
    low, high = (cast_expr(value.dtype, bound(dtype)) for bound in (min_value, max_value))
    return cast_expr(dtype, function("max")(function("min")(value, high), low))
