"""Scaled dot-product attention."""

from __future__ import annotations

import math
from types import ModuleType

from tvmscript.ir.arith.fold import make
from tvmscript.ir.core import INT64, Span
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.layout import check_ndim, literal_extents
from tvmscript.ir.relax.op.script_functions import make_call as make_call
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import TensorStructInfo
from tvmscript.ir.tir import Expr, FloorMod, cast

#: names of the dimensions
_AXES = "batch, length, heads, size of a head"
_ATTRIBUTES = "scale: immediate | None = None, causal_mask: str | None = None, window_size: int | None = None"


def _infer(call: Call) -> TensorStructInfo:
    """Infer (batch, query length, heads, head size of the values)."""
    query, key, value = [_expect_4d(call, position, _AXES) for position in range(3)]
    bias = _expect_4d(call, 3, "batch, heads, queries, keys") if call.op is attention_bias else None
    if call.op is attention_var_len:
        for position in range(3, len(call.args)):
            rules.expect_tensor(call, position)
    queries, keys, values = literal_extents(query), literal_extents(key), literal_extents(value)
    if queries is None or keys is None or values is None:
        return rules.tensor_of_ndim(4, query.dtype, query.vdevice)
    _check_extent(call, 1, "batches", keys[0], queries[0])
    _check_extent(call, 2, "batches", values[0], queries[0])
    _check_multiple(call, 1, queries[2], keys[2])
    _check_multiple(call, 2, queries[2], values[2])
    _check_extent(call, 1, "elements in a head", keys[3], queries[3])
    _check_extent(call, 2, "keys", values[1], keys[1])
    if bias is not None:
        _check_bias(call, literal_extents(bias), (queries[0], queries[2], queries[1]), keys[1])
    return rules.tensor_of_shape((*queries[:3], values[3]), query.dtype, query.vdevice)


def _expect_4d(call: Call, position: int, axes: str) -> TensorStructInfo:
    info = rules.expect_tensor(call, position)
    check_ndim(call, position, info, 4, axes)
    return info


def _check_extent(call: Call, position: int, what: str, extent: Expr, other: Expr) -> None:
    if rules.provably_differ(extent, other):
        raise invalid_argument(call, position, f"{other} {what}", extent)


def _check_multiple(call: Call, position: int, heads: Expr, extent: Expr) -> None:
    if not rules.is_one(extent) and rules.provably_differ(
        make(FloorMod, cast(INT64, heads), cast(INT64, extent)), rules.int64(0)
    ):
        raise invalid_argument(call, position, f"a number of heads that divides {heads}", extent)


def _check_bias(call: Call, bias: rules.Extents, expected: tuple[Expr, ...], keys: Expr) -> None:
    """Check a bias (batch, heads, queries, keys); the first three extents may be 1."""
    if bias is None:
        return
    for what, extent, other in zip(("batches", "heads", "queries"), bias, expected, strict=False):
        if not rules.is_one(extent):
            _check_extent(call, 3, f"{what} or 1", extent, other)
    _check_extent(call, 3, "keys", bias[3], keys)


def _compute_attention(
    np: ModuleType,
    query: Array,
    key: Array,
    value: Array,
    bias: Array = None,
    scale: Array = None,
    causal_mask: str | None = None,
    window_size: int | None = None,
) -> Array:
    """Compute softmax(scale * query @ key^T + bias) @ value. `window_size` is not supported."""
    assert window_size is None
    groups = query.shape[2] // key.shape[2], query.shape[2] // value.shape[2]
    key, value = np.repeat(key, groups[0], axis=2), np.repeat(value, groups[1], axis=2)
    scores = np.einsum("bqhd,bkhd->bhqk", query, key)
    scores = scores * (1 / math.sqrt(query.shape[3]) if scale is None else float(scale.value))
    scores = scores if bias is None else scores + bias
    if causal_mask is not None:
        later = key.shape[1] - query.shape[1] if causal_mask == "BottomRight" else 0
        scores = np.where(np.tri(query.shape[1], key.shape[1], later, bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=-np.inf))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return np.einsum("bhqk,bkhd->bqhd", weights, value).astype(query.dtype)


def _compute_without_bias(
    np: ModuleType,
    query: Array,
    key: Array,
    value: Array,
    scale: Array = None,
    causal_mask: str | None = None,
    window_size: int | None = None,
) -> Array:
    """Compute attention without a bias."""
    return _compute_attention(np, query, key, value, None, scale, causal_mask, window_size)


def _surface(
    query: RelaxExpr,
    key: RelaxExpr,
    value: RelaxExpr,
    bias: RelaxExpr | None = None,
    scale: object = None,
    causal_mask: str | None = None,
    window_size: int | None = None,
    *,
    span: Span | None = None,
) -> Call:
    """Return scaled dot-product attention of tensors (batch, length, heads, head size), with an optional bias."""
    attrs = {"scale": scale, "causal_mask": causal_mask, "window_size": window_size}
    if bias is None:
        return make_call(attention, (query, key, value), attrs, span)
    return make_call(attention_bias, (query, key, value, bias), attrs, span)


def _script_var_len(
    queries: RelaxExpr,
    keys: RelaxExpr,
    values: RelaxExpr,
    seqstart_q: RelaxExpr,
    max_seqlen_q: RelaxExpr,
    seqstart_k: RelaxExpr | None = None,
    max_seqlen_k: RelaxExpr | None = None,
    scale: object = None,
    causal_mask: str | None = None,
    window_size: int | None = None,
    *,
    span: Span | None = None,
) -> Call:
    """Return `attention` of concatenated sequences; offsets of keys default to those of queries."""
    args = (
        queries,
        keys,
        values,
        seqstart_q,
        seqstart_q if seqstart_k is None else seqstart_k,
        max_seqlen_q,
        max_seqlen_q if max_seqlen_k is None else max_seqlen_k,
    )
    attrs = {"scale": scale, "causal_mask": causal_mask, "window_size": window_size}
    return make_call(attention_var_len, args, attrs, span)


attention = Operator(
    "nn.attention",
    f"query: Expr, key: Expr, value: Expr, {_ATTRIBUTES}",
    _infer,
    script_function=_surface,
    mixed_precision="always",
    reference=_compute_without_bias,
    legalize=lambda topi, query, key, value, *attrs: topi.graph.attention(query, key, value, None, *attrs),
    doc="Scaled dot-product attention of tensors (batch, length, heads, head size).",
)
attention_bias = Operator(
    "nn.attention_bias",
    f"query: Expr, key: Expr, value: Expr, bias: Expr, {_ATTRIBUTES}",
    _infer,
    mixed_precision="always",
    reference=_compute_attention,
    legalize=lambda topi, *args: topi.graph.attention(*args),
    doc="`attention` with a bias (batch, heads, queries, keys) added to the scores.",
)
attention_var_len = Operator(
    "nn.attention_var_len",
    "query: Expr, key: Expr, value: Expr, seqstart_q: Expr, seqstart_k: Expr, max_seqlen_q: Expr, max_seqlen_k: Expr, "
    f"{_ATTRIBUTES}",
    _infer,
    script_function=_script_var_len,
    mixed_precision="always",
    doc="`attention` of concatenated sequences of different lengths; `seqstart` holds their start offsets.",
)
