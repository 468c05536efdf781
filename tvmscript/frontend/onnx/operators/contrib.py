"""Operators of ONNX Runtime, which optimized transformers use."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators.quantization import dequantized
from tvmscript.frontend.onnx.operators.table import MICROSOFT, operator
from tvmscript.frontend.onnx.values import Size, dtype_of, rank_of, scalar, shape_expr, sizes_of
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.language import R


@operator("FusedMatMul", domain=MICROSOFT)
def fused_matmul(context: Context, node: Node) -> RelaxExpr:
    """Return alpha times the product of matrices, transposed where attributes say so."""
    a, b = node.tensor(0), node.tensor(1)
    a, b = (_transposed(x) if node.integer(name, 0) else x for x, name in ((a, "transA"), (b, "transB")))
    alpha = node.number("alpha", 1.0)
    product = R.matmul(a, b)
    return product if alpha == 1.0 else R.multiply(product, scalar(alpha, product))


def _transposed(x: RelaxExpr) -> RelaxExpr:
    rank = rank_of(x)
    return R.permute_dims(x, [*range(rank - 2), rank - 1, rank - 2])


@operator("QuickGelu", domain=MICROSOFT)
def quick_gelu(context: Context, node: Node) -> RelaxExpr:
    """Return x * sigmoid(alpha * x)."""
    x = node.tensor(0)
    return R.multiply(x, R.sigmoid(R.multiply(scalar(node.number("alpha", 1.702), x), x)))


@operator("SkipLayerNormalization", domain=MICROSOFT)
def skip_layer_norm(context: Context, node: Node) -> Any:
    """Return the normalized sum of data, a skip connection and a bias."""
    total: RelaxExpr = R.add(node.tensor(0), node.tensor(1))
    if node.has(4):
        total = R.add(total, node.tensor(4))
    total = context.emit(total)
    gamma = node.tensor(2)
    beta = node.tensor(3) if node.has(3) else R.zeros(shape_expr(sizes_of(gamma)), dtype_of(gamma))
    result = R.nn.layer_norm(total, gamma, beta, axes=[-1], epsilon=node.number("epsilon", 1e-12))
    return [result, *_empty(2), total][: len(node.output_names)]


def _empty(count: int) -> list[RelaxExpr]:
    """Return placeholders of statistics that only training reads."""
    return [R.const(0.0, "float32")] * count


@operator("EmbedLayerNormalization", domain=MICROSOFT)
def embed_layer_norm(context: Context, node: Node) -> Any:
    """Return normalized sums of embeddings of words, positions and segments, and the lengths of sequences."""
    ids, segments = node.tensor(0), node.optional(1)
    word, position, segment = node.tensor(2), node.tensor(3), node.optional(4)
    gamma, beta, mask = node.tensor(5), node.tensor(6), node.optional(7)
    batch, length = sizes_of(ids)
    total: RelaxExpr = R.take(word, ids, 0)
    if node.has(8):
        total = R.add(total, R.take(position, node.tensor(8), 0))
    else:
        places = R.arange(0, length, 1, dtype="int64")
        total = R.add(total, R.expand_dims(R.take(position, places, 0), [0]))
    if segment is not None and segments is not None:
        total = R.add(total, R.take(segment, segments, 0))
    total = context.emit(total)
    result = R.nn.layer_norm(total, gamma, beta, axes=[-1], epsilon=node.number("epsilon", 1e-12))
    lengths = R.sum(mask, [1]) if mask is not None else R.zeros(shape_expr([batch]), "int32")
    return [result, R.astype(lengths, "int32"), total][: len(node.output_names)]


@operator("Attention", domain=MICROSOFT)
def attention(context: Context, node: Node) -> Any:
    """Return multi-head attention of data by one matrix of all weights, and the keys and values."""
    x, weight, bias = node.tensor(0), node.tensor(1), node.optional(2)
    return _attention(context, node, R.matmul(x, weight), bias, node.optional(3), node.optional(4))


@operator("QAttention", domain=MICROSOFT)
def quantized_attention(context: Context, node: Node) -> Any:
    """Return attention of quantized data and weights."""
    x = dequantized(node.tensor(0), _one(node.tensor(3)), _one(node.tensor(6)) if node.has(6) else None)
    weight = dequantized(node.tensor(1), node.tensor(4), node.tensor(7) if node.has(7) else None)
    return _attention(context, node, R.matmul(x, weight), node.optional(2), node.optional(5), node.optional(8))


def _one(factor: RelaxExpr) -> RelaxExpr:
    return R.reshape(factor, shape_expr([]))


def _attention(
    context: Context, node: Node, projected: RelaxExpr, bias: RelaxExpr | None, mask: RelaxExpr | None,
    past: RelaxExpr | None,
) -> list[RelaxExpr]:  # fmt: skip
    if bias is not None:
        projected = R.add(projected, bias)
    projected = context.emit(projected)
    batch, length, width = sizes_of(projected)
    heads = node.integer("num_heads")
    widths = node.integers("qkv_hidden_sizes", [int(width) // 3] * 3)
    ends = [sum(widths[:index]) for index in range(4)]
    parts = [
        context.emit(_heads(R.strided_slice(projected, [2], [ends[index]], [ends[index + 1]]),
                            [batch, length, heads, widths[index] // heads]))
        for index in range(3)
    ]  # fmt: skip
    query, key, value = parts
    if past is not None:
        key, value = (context.emit(R.concat((_half(past, index), own), 2)) for index, own in enumerate((key, value)))
    merged = _attend(node, query, key, value, mask)
    # values may be wider than keys where nobody asks for both
    return [merged, R.stack((key, value), axis=0)] if len(node.output_names) > 1 else [merged]


def _attend(
    node: Node,
    query: RelaxExpr,
    key: RelaxExpr,
    value: RelaxExpr,
    mask: RelaxExpr | None,
    bias: RelaxExpr | None = None,
) -> RelaxExpr:
    """Return the attention of heads (batch, head, place, width), merged: (batch, place, all widths)."""
    batch, heads, length, width = sizes_of(query)
    scale = node.number("scale", 0.0) or int(width) ** -0.5
    scores: RelaxExpr = R.multiply(R.matmul(query, R.permute_dims(key, [0, 1, 3, 2])), scalar(scale, query))
    if bias is not None:
        scores = R.add(scores, bias)
    scores = _masked(node, scores, mask, length, sizes_of(key)[2])
    result = R.permute_dims(R.matmul(R.nn.softmax(scores, -1), value), [0, 2, 1, 3])
    return R.reshape(result, shape_expr([batch, length, heads * sizes_of(value)[3]]))


@operator("MultiHeadAttention", domain=MICROSOFT)
def multi_head_attention(context: Context, node: Node) -> RelaxExpr:
    """Return multi-head attention of queries over keys and values, which are tensors of their own."""
    heads = node.integer("num_heads")
    operands: list[RelaxExpr] = []
    begin = 0
    for index in range(3):
        operand = node.tensor(index)
        if rank_of(operand) != 3:
            raise node.invalid("packed queries, keys and values, and keys of past calls, are not supported")
        batch, length, width = sizes_of(operand)
        if node.has(3):
            operand = R.add(operand, R.strided_slice(node.tensor(3), [0], [begin], [begin + width]))
        begin += width
        operands.append(context.emit(_heads(operand, [batch, length, heads, width // heads])))
    if node.has(6):
        raise node.invalid("keys of past calls are not supported")
    query, key, value = operands
    return _attend(node, query, key, value, node.optional(4), node.optional(5))


@operator("RotaryEmbedding", domain=MICROSOFT)
def rotary_embedding(context: Context, node: Node) -> RelaxExpr:
    """Return queries or keys rotated by their places: pairs of halves, or of neighbours."""
    x, places = node.tensor(0), node.tensor(1)
    sizes = sizes_of(x)
    is_merged = len(sizes) == 3
    if is_merged:
        heads = node.integer("num_heads", 0) or sizes[2] // (2 * sizes_of(node.tensor(2))[1])
        x = _heads(x, [sizes[0], sizes[1], heads, sizes[2] // heads])
    x = context.emit(x)
    length, width = sizes_of(x)[2:]
    if rank_of(places) == 1:  # the place of the first
        places = R.expand_dims(R.add(R.arange(0, length, 1, dtype="int64"), R.astype(places, "int64")), [0])
    cos, sin = (context.emit(R.expand_dims(R.take(node.tensor(index), places, 0), [1])) for index in (2, 3))
    rotated = node.integer("rotary_embedding_dim", 0) or width
    is_interleaved = node.integer("interleaved", 0)
    half, step = rotated // 2, 2 if is_interleaved else 1
    ends = ((0, rotated), (1, rotated)) if is_interleaved else ((0, half), (half, rotated))
    first, second = (context.emit(R.strided_slice(x, [3], [begin], [end], [step])) for begin, end in ends)
    turned = (
        R.subtract(R.multiply(first, cos), R.multiply(second, sin)),
        R.add(R.multiply(second, cos), R.multiply(first, sin)),
    )
    result: RelaxExpr = R.stack(turned, axis=-1) if is_interleaved else R.concat(turned, 3)
    if is_interleaved:
        result = R.reshape(result, shape_expr([*sizes_of(x)[:3], rotated]))
    if rotated != width:
        result = R.concat((result, R.strided_slice(x, [3], [rotated], [width])), 3)
    return R.reshape(R.permute_dims(result, [0, 2, 1, 3]), shape_expr(sizes)) if is_merged else result


@operator("SimplifiedLayerNormalization")
def simplified_layer_norm(context: Context, node: Node) -> RelaxExpr:
    """Return data divided by the root of its mean square."""
    x, gamma = node.tensor(0), node.tensor(1)
    axis = node.axis(node.integer("axis", -1), rank_of(x))
    return R.nn.rms_norm(x, gamma, axes=list(range(axis, rank_of(x))), epsilon=node.number("epsilon", 1e-5))


@operator("SkipSimplifiedLayerNormalization", domain=MICROSOFT)
def skip_simplified_layer_norm(context: Context, node: Node) -> Any:
    """Return the sum of data, a skip connection and a bias, divided by the root of its mean square."""
    total: RelaxExpr = R.add(node.tensor(0), node.tensor(1))
    if node.has(3):
        total = R.add(total, node.tensor(3))
    total = context.emit(total)
    result = R.nn.rms_norm(total, node.tensor(2), axes=[-1], epsilon=node.number("epsilon", 1e-12))
    return [result, *_empty(2), total][: len(node.output_names)]


def _heads(x: RelaxExpr, sizes: list[Size]) -> RelaxExpr:
    return R.permute_dims(R.reshape(x, shape_expr(sizes)), [0, 2, 1, 3])


def _half(past: RelaxExpr, index: int) -> RelaxExpr:
    return R.squeeze(R.strided_slice(past, [0], [index], [index + 1]), [0])


def _masked(node: Node, scores: RelaxExpr, mask: RelaxExpr | None, length: Size, total: Size) -> RelaxExpr:
    """Return scores with a large negative number where a mask of keys, or the order of time, excludes them."""
    if mask is not None and rank_of(mask) > 1:
        axes = [1] if rank_of(mask) == 3 else [1, 2]
        excluded = R.subtract(scalar(1.0, scores), R.astype(R.expand_dims(mask, axes), dtype_of(scores)))
        scores = R.add(scores, R.multiply(excluded, scalar(-10000.0, scores)))
    elif mask is not None:
        places = R.reshape(R.arange(0, total, 1, dtype="int32"), shape_expr([1, 1, 1, total]))
        ends = R.reshape(mask, shape_expr([*sizes_of(mask), 1, 1, 1]))
        scores = R.where(R.less(places, ends), scores, scalar(-10000.0, scores))
    if node.integer("unidirectional", 0):
        rows = R.reshape(R.arange(0, length, 1, dtype="int64"), shape_expr([length, 1]))
        columns = R.reshape(R.arange(0, total, 1, dtype="int64"), shape_expr([1, total]))
        is_past = R.less_equal(R.subtract(columns, rows), R.const(int(total - length), "int64"))
        scores = R.where(is_past, scores, scalar(-10000.0, scores))
    return scores


@operator("LinearRegressor", domain="ai.onnx.ml")
def linear_regressor(context: Context, node: Node) -> RelaxExpr:
    """Return products with coefficients, plus intercepts."""
    x, targets = node.tensor(0), node.integer("targets", 1)
    coefficients = node.reals("coefficients")
    rows = R.reshape(R.const(coefficients, "float32"), shape_expr([targets, len(coefficients) // targets]))
    table = R.permute_dims(rows, [1, 0])
    result = R.matmul(R.astype(x, "float32"), table)
    intercepts = node.reals("intercepts", [])
    return R.add(result, R.const(intercepts, "float32")) if intercepts else result


@operator("FC")
def fully_connected(context: Context, node: Node) -> RelaxExpr:
    """Return the product of rows with a transposed matrix, plus a bias."""
    x, weight = node.tensor(0), node.tensor(1)
    sizes = sizes_of(x)
    rows = R.reshape(x, shape_expr([sizes[0], sizes_of(weight)[1]]))
    result = R.matmul(rows, R.permute_dims(weight, [1, 0]))
    return R.add(result, node.tensor(2)) if node.has(2) else result
