"""Operators under Relay's names, `relay.add`, `relay.concatenate`: calls of the operators of graph functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.ir.core.lazy import lazy_names
from tvmscript.language import R

_PARTITION = "partition graphs by relax.transform.FuseOpsByPattern and RunCodegen"
# names of TVM that are absent, with the reason
__getattr__, __dir__ = lazy_names(
    __name__,
    {"nn": "tvmscript.frontend.relay.nn:"},
    {
        "annotation": _PARTITION,
        "contrib": _PARTITION,
        "get": "operators are functions here, such as relay.add",
        "OpPattern": "relax.transform.AnnotateTIROpPattern finds the pattern of a kernel",
    },
)

# the same names with the same arguments in Relay and in `R`
abs = R.abs
acos = R.acos
acosh = R.acosh
add = R.add
asin = R.asin
asinh = R.asinh
atan = R.atan
atanh = R.atanh
bitwise_and = R.bitwise_and
bitwise_not = R.bitwise_not
bitwise_or = R.bitwise_or
bitwise_xor = R.bitwise_xor
broadcast_to = R.broadcast_to
ceil = R.ceil
clip = R.clip
collapse_sum_like = R.collapse_sum_like
collapse_sum_to = R.collapse_sum_to
cos = R.cos
cosh = R.cosh
divide = R.divide
equal = R.equal
erf = R.erf
exp = R.exp
floor = R.floor
floor_divide = R.floor_divide
greater = R.greater
greater_equal = R.greater_equal
isfinite = R.isfinite
isinf = R.isinf
isnan = R.isnan
less = R.less
less_equal = R.less_equal
log = R.log
logical_and = R.logical_and
logical_not = R.logical_not
logical_or = R.logical_or
logical_xor = R.logical_xor
maximum = R.maximum
minimum = R.minimum
mod = R.mod
multiply = R.multiply
negative = R.negative
not_equal = R.not_equal
ones = R.ones
ones_like = R.ones_like
power = R.power
repeat = R.repeat
round = R.round
rsqrt = R.rsqrt
sigmoid = R.sigmoid
sign = R.sign
sin = R.sin
sinh = R.sinh
sqrt = R.sqrt
squeeze = R.squeeze
subtract = R.subtract
tan = R.tan
tanh = R.tanh
tile = R.tile
where = R.where
zeros = R.zeros
zeros_like = R.zeros_like

__all__ = [
    "abs",
    "acos",
    "acosh",
    "add",
    "argmax",
    "argmin",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "broadcast_to",
    "cast",
    "ceil",
    "clip",
    "collapse_sum_like",
    "collapse_sum_to",
    "concatenate",
    "copy",
    "cos",
    "cosh",
    "divide",
    "equal",
    "erf",
    "exp",
    "expand_dims",
    "floor",
    "floor_divide",
    "full",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "max",
    "maximum",
    "mean",
    "min",
    "minimum",
    "mod",
    "multiply",
    "negative",
    "not_equal",
    "ones",
    "ones_like",
    "power",
    "prod",
    "repeat",
    "reshape",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "split",
    "sqrt",
    "squeeze",
    "stack",
    "strided_slice",
    "subtract",
    "sum",
    "take",
    "tan",
    "tanh",
    "tile",
    "transpose",
    "variance",
    "where",
    "zeros",
    "zeros_like",
]


def cast(data: Any, dtype: str) -> Any:
    """Return the tensor converted to a dtype."""
    return R.astype(data, dtype)


def copy(data: Any) -> Any:
    """Return the tensor."""
    return data


def reshape(data: Any, newshape: Any) -> Any:
    """Return the elements in another shape."""
    return R.reshape(data, (newshape,) if isinstance(newshape, int) else newshape)


def transpose(data: Any, axes: Sequence[int] | None = None) -> Any:
    """Return the tensor with its axes in this order; reversed without one."""
    return R.permute_dims(data, axes)


def concatenate(data: Any, axis: int) -> Any:
    """Return tensors one after the other along an axis."""
    return R.concat(data, axis)


def stack(data: Sequence[Any], axis: int) -> Any:
    """Return tensors along a new axis."""
    return R.concat([R.expand_dims(tensor, axis) for tensor in data], axis)


def split(data: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Return parts along an axis as a tuple: `relay.split(x, 2)[0]`."""
    return R.split(data, indices_or_sections, axis)


def expand_dims(data: Any, axis: int, num_newaxis: int = 1) -> Any:
    """Return the tensor with new axes of size 1."""
    return R.expand_dims(data, [axis + index for index in range(num_newaxis)])


def take(data: Any, indices: Any, axis: int | None = None) -> Any:
    """Return the elements at indices along an axis."""
    return R.take(data, indices, axis)


def full(fill_value: Any, shape: Any = (), dtype: str = "") -> Any:
    """Return a tensor of one value."""
    return R.full(shape, fill_value, dtype or None)


def strided_slice(
    data: Any, begin: Sequence[int], end: Sequence[int], strides: Sequence[int] | None = None, axes: Any = None
) -> Any:
    """Return the elements between begin and end of each axis."""
    over = list(range(len(begin))) if axes is None else list(axes)
    return R.strided_slice(data, over, list(begin), list(end), list(strides) if strides else None)


def sum(data: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the sum over axes."""
    return R.sum(data, axis, keepdims)


def mean(data: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the mean over axes."""
    return R.mean(data, axis, keepdims)


def max(data: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the largest element over axes."""
    return R.max(data, axis, keepdims)


def min(data: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the smallest element over axes."""
    return R.min(data, axis, keepdims)


def prod(data: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the product over axes."""
    return R.prod(data, axis, keepdims)


def variance(data: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return the variance over axes."""
    return R.variance(data, axis, keepdims)


def argmax(data: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the index of the largest element."""
    return R.argmax(data, axis, keepdims)


def argmin(data: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Return the index of the smallest element."""
    return R.argmin(data, axis, keepdims)
