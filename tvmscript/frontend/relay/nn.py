"""Operators of neural networks under Relay's names: `relay.nn.dense`, `relay.nn.conv2d`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.relay.errors import InvalidRelayExpr
from tvmscript.ir.core.lazy import lazy_names
from tvmscript.language import R

_SAME_NAME = "conv2d_transpose max_pool3d avg_pool3d"
# operators of TVM that are absent, with the reason
__getattr__, __dir__ = lazy_names(
    __name__,
    {},
    {
        "conv3d_transpose": "there is no transposed convolution of volumes",
        "depth_to_space": "write R.reshape, R.permute_dims and R.reshape",
        "upsampling": "write R.image.resize2d with the new size",
        **{name: f"write R.nn.{name}" for name in _SAME_NAME.split()},
    },
)

# the same names with the same arguments in `relay.nn` and in `R.nn`
batch_flatten = R.nn.batch_flatten
log_softmax = R.nn.log_softmax
prelu = R.nn.prelu
relu = R.nn.relu
softmax = R.nn.softmax


def dense(data: Any, weight: Any, units: int | None = None, out_dtype: str = "") -> Any:
    """Return data * transposed weight; the weight has the shape (units, inputs)."""
    return R.matmul(data, R.permute_dims(weight), out_dtype=out_dtype or None)


def matmul(
    tensor_a: Any,
    tensor_b: Any,
    units: int | None = None,
    out_dtype: str = "",
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> Any:
    """Return the matrix product."""
    return R.matmul(_turned(tensor_a, transpose_a), _turned(tensor_b, transpose_b), out_dtype=out_dtype or None)


def batch_matmul(
    tensor_a: Any, tensor_b: Any, out_dtype: str = "", transpose_a: bool = False, transpose_b: bool = True
) -> Any:
    """Return the products of matrices; the second ones are transposed where nothing else is said."""
    return R.matmul(_turned(tensor_a, transpose_a), _turned(tensor_b, transpose_b), out_dtype=out_dtype or None)


def _turned(tensor: Any, is_transposed: bool) -> Any:
    """Return a tensor with its last axes exchanged where it is transposed."""
    if not is_transposed:
        return tensor
    rank = tensor.struct_info.ndim
    return R.permute_dims(tensor, [*range(rank - 2), rank - 1, rank - 2])


def bias_add(data: Any, bias: Any, axis: int = 1) -> Any:
    """Return the tensor plus a vector along an axis. Raises `InvalidRelayExpr`."""
    rank = data.struct_info.ndim
    if not -rank <= axis < rank:
        raise InvalidRelayExpr(name="nn.bias_add", reason=f"a tensor of {rank} axes has no axis {axis}")
    if axis % rank == rank - 1:
        return R.add(data, bias)
    shape = [-1 if index == axis % rank else 1 for index in range(rank)]
    return R.add(data, R.reshape(bias, shape))


def conv1d(
    data: Any,
    weight: Any,
    strides: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Any = None,
    data_layout: str = "NCW",
    kernel_layout: str = "OIW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Any:
    """Return the convolution over one dimension."""
    layouts = (data_layout, kernel_layout, out_layout or None, out_dtype or None)
    return R.nn.conv1d(data, weight, strides, padding, dilation, groups, *layouts)


def conv2d(
    data: Any,
    weight: Any,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Any:
    """Return the convolution over two dimensions."""
    layouts = (data_layout, kernel_layout, out_layout or None, out_dtype or None)
    return R.nn.conv2d(data, weight, strides, padding, dilation, groups, *layouts)


def conv3d(
    data: Any,
    weight: Any,
    strides: Any = (1, 1, 1),
    padding: Any = (0, 0, 0),
    dilation: Any = (1, 1, 1),
    groups: int = 1,
    channels: int | None = None,
    kernel_size: Any = None,
    data_layout: str = "NCDHW",
    kernel_layout: str = "OIDHW",
    out_layout: str = "",
    out_dtype: str = "",
) -> Any:
    """Return the convolution over three dimensions."""
    layouts = (data_layout, kernel_layout, out_layout or None, out_dtype or None)
    return R.nn.conv3d(data, weight, strides, padding, dilation, groups, *layouts)


def max_pool2d(
    data: Any,
    pool_size: Any = (1, 1),
    strides: Any = (1, 1),
    dilation: Any = (1, 1),
    padding: Any = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Any:
    """Return the largest elements of windows."""
    return R.nn.max_pool2d(data, pool_size, strides, padding, dilation, ceil_mode, False, layout, out_layout or None)


def avg_pool2d(
    data: Any,
    pool_size: Any = (1, 1),
    strides: Any = (1, 1),
    dilation: Any = (1, 1),
    padding: Any = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Any:
    """Return the means of windows."""
    options = (ceil_mode, count_include_pad, layout, out_layout or None)
    return R.nn.avg_pool2d(data, pool_size, strides, padding, dilation, *options)


def adaptive_avg_pool2d(data: Any, output_size: Any = None, layout: str = "NCHW", out_layout: str = "") -> Any:
    """Return the means of windows, as many as `output_size` says."""
    return R.nn.adaptive_avg_pool2d(data, output_size, layout, out_layout or None)


def global_avg_pool2d(data: Any, layout: str = "NCHW", out_layout: str = "") -> Any:
    """Return the means of images."""
    return adaptive_avg_pool2d(data, (1, 1), layout, out_layout)


def global_max_pool2d(data: Any, layout: str = "NCHW", out_layout: str = "") -> Any:
    """Return the largest elements of images."""
    return R.max(data, [layout.index("H"), layout.index("W")], True)


def batch_norm(
    data: Any,
    gamma: Any,
    beta: Any,
    moving_mean: Any,
    moving_var: Any,
    axis: int = 1,
    epsilon: float = 1e-5,
    center: bool = True,
    scale: bool = True,
) -> Any:
    """Return the normalized tensor, and the mean and the variance, as a tuple: `relay.nn.batch_norm(...)[0]`."""
    statistics = (moving_mean, moving_var)
    return R.nn.batch_norm(data, gamma, beta, *statistics, axis, epsilon, center, scale, training=False)


def layer_norm(
    data: Any,
    gamma: Any,
    beta: Any,
    axis: int = -1,
    epsilon: float = 1e-5,
    center: bool = True,
    scale: bool = True,
) -> Any:
    """Return the tensor normalized over an axis."""
    return R.nn.layer_norm(data, gamma, beta, [axis], epsilon, center, scale)


def leaky_relu(data: Any, alpha: float = 0.01) -> Any:
    """Return x where it is positive, x * alpha elsewhere."""
    return R.nn.leakyrelu(data, alpha)


def dropout(data: Any, rate: float = 0.5) -> Any:
    """Return the tensor: nothing is dropped in inference."""
    return data


def pad(data: Any, pad_width: Sequence[Sequence[int]], pad_value: float = 0, pad_mode: str = "constant") -> Any:
    """Return the tensor with elements added before and after each axis: `((before, after), ...)`."""
    widths = [width for pair in pad_width for width in pair]
    return R.nn.pad(data, widths, pad_value, pad_mode)
