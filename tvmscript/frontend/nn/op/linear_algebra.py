"""Products, convolutions, attention."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.nn.errors import UnsupportedLayerOption
from tvmscript.frontend.nn.tensor import Tensor, emit
from tvmscript.language import R


def matmul(a: Tensor, b: Tensor, out_dtype: str | None = None, name: str = "matmul") -> Tensor:
    """Return the matrix product."""
    return emit(R.matmul(a.expr, b.expr, out_dtype=out_dtype), name)


def _with_bias(product: Any, bias: Tensor | None, layout: str, name: str) -> Tensor:
    """Bind a convolution, plus a bias along the axis of the channels."""
    if bias is None:
        return emit(product, name)
    shape = [-1 if axis == "C" else 1 for axis in layout]
    return emit(R.add(product, R.reshape(bias.expr, shape)), name)


def _check_layout(name: str, layout: str, *layouts: str) -> None:
    if layout not in layouts:
        raise UnsupportedLayerOption(name=name, option=f"a bias with data_layout {layout!r}, only {layouts}")


def conv1d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    name: str = "conv1d",
) -> Tensor:
    """Return the convolution over one dimension."""
    product = R.nn.conv1d(x.expr, weight.expr, strides=stride, padding=padding, dilation=dilation, groups=groups)
    return _with_bias(product, bias, "NCW", name)


def conv2d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_layout: str = "NCHW",
    name: str = "conv2d",
) -> Tensor:
    """Return the convolution over two dimensions. Raises `UnsupportedLayerOption` for a bias in other layouts."""
    if bias is not None:
        _check_layout("conv2d", data_layout, "NCHW", "NHWC")
    options: dict[str, Any] = {"dilation": dilation, "groups": groups, "data_layout": data_layout}
    product = R.nn.conv2d(x.expr, weight.expr, strides=stride, padding=padding, **options)
    return _with_bias(product, bias, data_layout, name)


def conv3d(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_layout: str = "NCDHW",
    name: str = "conv3d",
) -> Tensor:
    """Return the convolution over three dimensions. Raises `UnsupportedLayerOption` for a bias in other layouts."""
    if bias is not None:
        _check_layout("conv3d", data_layout, "NCDHW", "NDHWC")
    options: dict[str, Any] = {"dilation": dilation, "groups": groups, "data_layout": data_layout}
    product = R.nn.conv3d(x.expr, weight.expr, strides=stride, padding=padding, **options)
    return _with_bias(product, bias, data_layout, name)


def conv1d_transpose(
    x: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    name: str = "conv1d_transpose",
) -> Tensor:
    """Return the transposed convolution over one dimension."""
    options: dict[str, Any] = {"output_padding": output_padding, "dilation": dilation, "groups": groups}
    product = R.nn.conv1d_transpose(x.expr, weight.expr, strides=stride, padding=padding, **options)
    return _with_bias(product, bias, "NCW", name)


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    is_causal: bool | None = False,
    scale: float | None = None,
    name: str = "scaled_dot_product_attention",
) -> Tensor:
    """Return attention of tensors (batch, length, heads, head size). Raises `UnsupportedLayerOption` for a mask."""
    if attn_mask is not None:
        raise UnsupportedLayerOption(name="scaled_dot_product_attention", option="attn_mask")
    causal_mask = "TopLeft" if is_causal else None
    return emit(R.nn.attention(query.expr, key.expr, value.expr, causal_mask=causal_mask, scale=scale), name)
