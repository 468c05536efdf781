"""Attention."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts
from tvmscript.frontend.torch.values import Size, product
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import manipulate
from tvmscript.ir.relax.op.nn.attention import attention

#: (batch, heads, length, size) <-> (batch, length, heads, size)
_SWAP = (0, 2, 1, 3)


@converts("scaled_dot_product_attention", "_scaled_dot_product_attention_math")
def scaled_dot_product_attention(
    ctx: Context,
    query: RelaxExpr,
    key: RelaxExpr,
    value: RelaxExpr,
    attn_mask: RelaxExpr | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> RelaxExpr:
    """Emit softmax(query @ key^T * scale + mask) @ value."""
    batch = ctx.shape(query)[:-2]
    query, key, value = (_of_rank_4(ctx, x) for x in (query, key, value))
    heads = ctx.shape(query)[1]
    key, value = (_with_heads(ctx, x, heads) for x in (key, value))
    bias = None if attn_mask is None else _bias(ctx, attn_mask, ctx.dtype(query), len(batch))
    causal = "TopLeft" if is_causal else None
    rows = [ctx.permute(x, _SWAP) for x in (query, key, value)]
    result = ctx.permute(ctx.call(attention, *rows, bias, scale, causal), _SWAP)
    return result if len(batch) == 2 else ctx.reshape(result, [*batch, *ctx.shape(result)[-2:]])


def _of_rank_4(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    """Return the tensor as one of (batch, heads, length, size)."""
    shape = ctx.shape(x)
    batch = shape[:-2]
    if len(batch) == 2:
        return x
    extents: Sequence[Size] = [product(batch[:-1]), *batch[-1:]] if batch else [1, 1]
    return ctx.reshape(x, [*extents, *shape[-2:]])


def _with_heads(ctx: Context, x: RelaxExpr, heads: Size) -> RelaxExpr:
    """Repeat the heads that several heads of the query share."""
    own = ctx.shape(x)[1]
    if own == 1 or not isinstance(own, int) or not isinstance(heads, int) or own == heads:
        return x if own == heads or not isinstance(heads, int) else ctx.call(manipulate.repeat, x, heads, 1)
    return ctx.call(manipulate.repeat, x, heads // own, 1)


def _bias(ctx: Context, mask: RelaxExpr, dtype: str, batch_rank: int) -> RelaxExpr:
    """Return a mask as numbers that are added to the scores, of rank 4."""
    if ctx.dtype(mask) == "bool":
        mask = ctx.select(mask, ctx.constant(0, dtype), ctx.constant(-math.inf, dtype))
    shape = ctx.shape(mask)
    if len(shape) == 4 and batch_rank == 2:
        return mask
    batch = [*[1] * (batch_rank - len(shape) + 2), *shape[:-2]] if len(shape) - 2 <= batch_rank else shape[:-2]
    extents = [product(batch[:-1]), *batch[-1:]] if batch else [1, 1]
    return ctx.reshape(mask, [*extents, *shape[-2:]])


@converts("_scaled_dot_product_flash_attention_for_cpu")
def _flash_attention(
    ctx: Context,
    query: RelaxExpr,
    key: RelaxExpr,
    value: RelaxExpr,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    attn_mask: RelaxExpr | None = None,
    scale: float | None = None,
) -> tuple[RelaxExpr, None]:
    """Return the attention. Who uses the logarithms of its sums is told that they have no operator."""
    return scaled_dot_product_attention(ctx, query, key, value, attn_mask, dropout_p, is_causal, scale), None
