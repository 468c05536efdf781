"""Calls of the operators of the graph level that are right: what each takes, and what comes out where NumPy has no word
for it.

    call = operator_call("nn.conv2d", random.Random(0))
    call.made()        # the call of the program

`RECIPES` says for each operator what it may be given. Sizes are small, and often differ, so that a wrong axis shows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.expr import Call
from tvmscript.ir.relax.op.operator import Operator
from tvmscript.ir.relax.op.surface import callable_of

FLOATS: Final = ("float32", "float16", "float64")
INTEGERS: Final = ("int32", "int64", "int8")
ANY: Final = ("float32", "int32", "float16", "int64", "int8", "uint8", "float64")


@dataclass(frozen=True)
class Data:
    """A tensor."""

    shape: tuple[int, ...]
    dtype: str = "float32"


@dataclass(frozen=True)
class Sizes:
    """A shape."""

    extents: tuple[int, ...]


@dataclass(frozen=True)
class Number:
    """A scalar of the tensor level, as a result."""

    dtype: str
    value: int | None = None


#: arguments: tensors, shapes, lists of these, Python's numbers and words
Argument = Any


@dataclass(frozen=True)
class OperatorCall:
    """A call: arguments by position, attributes by name."""

    operator: str
    args: tuple[Argument, ...]
    attrs: dict[str, Any] = field(default_factory=dict[str, Any])
    #: what comes out, where NumPy does not say it
    result: Any = None


Recipe = Callable[[random.Random], OperatorCall]
#: operator -> draws a right call of it
RECIPES: Final[dict[str, Recipe]] = {}


def operator(name: str) -> Operator:
    """The operator `R.name`."""
    found = Op.get(f"relax.{name}")
    assert isinstance(found, Operator)
    return found


def call_of(name: str, *args: Any, **named: Any) -> Call:
    """`R.name(...)` in a program. Raises `InvalidCall`."""
    return callable_of(operator(name))(*args, **named)


def operator_call(name: str, r: random.Random) -> OperatorCall:
    """A right call of an operator."""
    return RECIPES[name](r)


def _for(*names: str) -> Callable[[Callable[[str, random.Random], OperatorCall]], Any]:
    """Say how calls of some operators are drawn."""

    def declare(draw: Callable[[str, random.Random], OperatorCall]) -> Callable[[str, random.Random], OperatorCall]:
        RECIPES.update({name: partial(draw, name) for name in names})
        return draw

    return declare


# Shapes


def _size(r: random.Random, least: int = 1) -> int:
    return max(least, r.choice((2, 3, 1, 4, 5, 7)))


def _shape(r: random.Random, least: int = 0, most: int = 3) -> tuple[int, ...]:
    return tuple(_size(r) for _ in range(r.randint(least, most)))


def _axis(r: random.Random, ndim: int) -> int:
    """An axis, from either end."""
    return r.randrange(-ndim, ndim)


def _axes(r: random.Random, ndim: int, least: int = 1) -> list[int]:
    """Different axes, from either end."""
    chosen = r.sample(range(ndim), r.randint(min(least, ndim), ndim))
    return [axis - r.choice((0, ndim)) for axis in chosen]


def _broadcastable(r: random.Random, shape: Sequence[int]) -> tuple[int, ...]:
    """A shape that broadcasts to another one."""
    kept = shape[r.choice((0, 0, r.randint(0, len(shape)))) :]
    return tuple(r.choice((extent, extent, 1)) for extent in kept)


def _given(r: random.Random, **attrs: Any) -> dict[str, Any]:
    """Attributes, some of which are left to their defaults."""
    return {name: value for name, value in attrs.items() if r.random() < 0.7}


# Element by element

_UNARY: Final = [
    "abs",
    "bitwise_not",
    "ceil",
    "floor",
    "logical_not",
    "negative",
    "round",
    "sign",
    "square",
    "trunc",
    "isfinite",
    "isinf",
    "isnan",
    "nn.relu",
    "memory.ensure_zero_offset",
    "builtin.stop_lift_params",
    "grad.no_grad",
    "grad.start_checkpoint",
    "grad.end_checkpoint",
]
_UNARY_OF_FLOATS: Final = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "cos",
    "cosh",
    "erf",
    "exp",
    "log",
    "rsqrt",
    "sigmoid",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "nn.selu",
    "nn.gelu",
    "nn.gelu_tanh",
    "nn.silu",
]
_ARITHMETIC: Final = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "power",
    "maximum",
    "minimum",
    "floor_mod",
    "mod",
    "logical_and",
    "logical_or",
    "logical_xor",
]
_OF_BITS: Final = ["left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor"]
_COMPARISONS: Final = ["equal", "not_equal", "greater", "greater_equal", "less", "less_equal"]


@_for(*_UNARY)
def _unary(name: str, r: random.Random) -> OperatorCall:
    dtypes = ("int32", "int8", "int64") if name == "bitwise_not" else ANY
    return OperatorCall(name, (Data(_shape(r), r.choice(dtypes)),))


@_for(*_UNARY_OF_FLOATS)
def _unary_of_floats(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(FLOATS)),))


def _two(r: random.Random, dtypes: Sequence[str]) -> tuple[Data, Data]:
    shape, dtype = _shape(r), r.choice(dtypes)
    both = [Data(shape, dtype), Data(_broadcastable(r, shape), dtype)]
    r.shuffle(both)
    return both[0], both[1]


@_for(*_ARITHMETIC, *_COMPARISONS)
def _binary(name: str, r: random.Random) -> OperatorCall:
    if r.random() < 0.15:
        return OperatorCall(name, (Data(_shape(r, 1)), 1.5))
    return OperatorCall(name, _two(r, ANY))


@_for(*_OF_BITS)
def _bits(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, _two(r, INTEGERS))


@_for("atan2", "log_add_exp")
def _binary_of_floats(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, _two(r, FLOATS))


@_for("clip")
def _clip(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r)), 0.5, 1.5))


@_for("ewise_fma")
def _fma(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(ANY)),) * 3)


@_for("nn.leakyrelu", "nn.softplus")
def _activation(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(FLOATS)),))


@_for("nn.softmax", "nn.log_softmax")
def _softmax(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    return OperatorCall(name, (Data(shape, r.choice(FLOATS)),), {"axis": _axis(r, len(shape))})


@_for("nn.prelu")
def _prelu(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    axis = _axis(r, len(shape))
    return OperatorCall(name, (Data(shape), Data((shape[axis],))), {"axis": axis})


@_for("nn.dropout")
def _dropout(name: str, r: random.Random) -> OperatorCall:
    data = Data(_shape(r), r.choice(FLOATS))
    return OperatorCall(name, (data,), {"rate": 0.25}, (data, data))


@_for("ccl.allreduce", "ccl.broadcast_from_worker0")
def _same(name: str, r: random.Random) -> OperatorCall:
    data = Data(_shape(r), r.choice(ANY))
    return OperatorCall(name, (data,), {"op_type": "avg"} if name == "ccl.allreduce" else {}, data)


@_for("astype", "wrap_param")
def _cast(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(ANY)), r.choice(ANY)))


@_for("ones_like", "zeros_like")
def _like(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(ANY)),), _given(r, dtype=r.choice(ANY)))


# Made of nothing


@_for("ones", "zeros")
def _filled(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Sizes(_shape(r)), r.choice(ANY)))


@_for("full")
def _full(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Sizes(_shape(r)), Data((), r.choice(ANY))), _given(r, dtype=r.choice(ANY)))


@_for("full_like")
def _full_like(name: str, r: random.Random) -> OperatorCall:
    args = (Data(_shape(r), r.choice(ANY)), Data((), r.choice(ANY)))
    return OperatorCall(name, args, _given(r, dtype=r.choice(ANY)))


@_for("arange")
def _arange(name: str, r: random.Random) -> OperatorCall:
    start, count, step = r.randint(-3, 5), r.randint(0, 9), r.randint(1, 3)
    if r.random() < 0.3:
        return OperatorCall(name, (float(start), start + count + 0.5, step * 0.75), {"dtype": "float32"})
    return OperatorCall(name, (start, start + count, step), {"dtype": r.choice(("int64", "int32", "float32"))})


@_for("eye")
def _eye(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (_size(r), _size(r), r.randint(-2, 2)), {"dtype": r.choice(ANY)})


@_for("eye_like")
def _eye_like(name: str, r: random.Random) -> OperatorCall:
    args = (Data((_size(r), _size(r)), r.choice(ANY)), r.randint(-2, 2))
    return OperatorCall(name, args, _given(r, dtype=r.choice(ANY)))


@_for("hamming_window")
def _hamming(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (_size(r), r.choice((True, False)), 0.54, 0.46, r.choice(FLOATS)))


@_for("tril", "triu")
def _triangle(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r, 2, 4), r.choice(ANY)), r.randint(-2, 2)))


# Windows

_SPATIAL: Final = {1: "W", 2: "HW", 3: "DHW"}


def _in_layout(r: random.Random, extents: Sequence[int], canonical: str) -> tuple[str, tuple[int, ...]]:
    """A layout of these axes, and the shape of a tensor in it; now and then an axis is in blocks."""
    whole = dict(zip(canonical, extents, strict=True))
    order = list(canonical)
    if r.random() < 0.5:
        r.shuffle(order)
    blocks = {letter: 2 for letter in order if whole[letter] % 2 == 0 and letter in "CO" and r.random() < 0.3}
    name = "".join(order) + "".join(f"{block}{letter.lower()}" for letter, block in blocks.items())
    shape = [whole[letter] // blocks.get(letter, 1) for letter in order]
    return name, (*shape, *blocks.values())


def _out_layout(r: random.Random, canonical: str) -> str:
    """A layout; what is in blocks need not fill them."""
    order = list(canonical)
    r.shuffle(order)
    return "".join(order) + r.choice(("", "", "4c", "2c"))


def _ends(r: random.Random, spatial: int) -> list[int]:
    """Padding: before each axis, and behind each."""
    return [r.choice((0, 1, 2)) for _ in range(2 * spatial)]


@_for("nn.conv1d", "nn.conv2d", "nn.conv3d")
def _conv(name: str, r: random.Random) -> OperatorCall:
    spatial = int(name[-2])
    letters, groups = _SPATIAL[spatial], r.choice((1, 1, 2, 3))
    window = [r.choice((1, 2, 3)) for _ in range(spatial)]
    dilation = [r.choice((1, 1, 2)) for _ in range(spatial)]
    room = [step * (size - 1) + 1 + r.randint(0, 4) for step, size in zip(dilation, window, strict=True)]
    inside, outside = r.choice((1, 2)), r.choice((1, 2)) * groups
    data_layout, data = _in_layout(r, [r.choice((1, 2, 3)), inside * groups, *room], f"NC{letters}")
    kernel_layout, kernel = _in_layout(r, [outside, inside, *window], f"OI{letters}")
    layouts = {"data_layout": data_layout, "kernel_layout": kernel_layout}
    more = _given(r, out_layout=_out_layout(r, f"NC{letters}"), padding=_ends(r, spatial), out_dtype=r.choice(FLOATS))
    strides = [r.choice((1, 2, 3)) for _ in range(spatial)]
    return OperatorCall(
        name,
        (Data(data), Data(kernel)),
        {"strides": strides, "dilation": dilation, "groups": groups, **layouts, **more},
    )


@_for("nn.conv1d_transpose", "nn.conv2d_transpose", "nn.conv3d_transpose")
def _transposed(name: str, r: random.Random) -> OperatorCall:
    spatial = int(name.removesuffix("d_transpose")[-1])
    letters, groups = _SPATIAL[spatial], r.choice((1, 1, 2))
    strides = [r.choice((1, 2, 3)) for _ in range(spatial)]
    inside, outside = r.choice((1, 2)) * groups, r.choice((1, 2, 3))
    room = [r.choice((3, 4, 5)) for _ in range(spatial)]
    data_layout, data = _in_layout(r, [r.choice((1, 2, 3)), inside, *room], f"NC{letters}")
    window = [r.choice((1, 2, 3)) for _ in range(spatial)]
    kernel_layout, kernel = _in_layout(r, [inside, outside, *window], f"IO{letters}")
    layouts = {"data_layout": data_layout, "kernel_layout": kernel_layout}
    more = _given(
        r,
        out_layout=_out_layout(r, f"NC{letters}"),
        padding=[r.choice((0, 1)) for _ in range(2 * spatial)],
        output_padding=[r.randrange(stride) for stride in strides],
        dilation=[r.choice((1, 2)) for _ in range(spatial)],
        out_dtype=r.choice(FLOATS),
    )
    return OperatorCall(name, (Data(data), Data(kernel)), {"strides": strides, "groups": groups, **layouts, **more})


def _pool_attrs(r: random.Random, spatial: int) -> tuple[Data, dict[str, Any]]:
    letters = _SPATIAL[spatial]
    window = [r.choice((1, 2, 3)) for _ in range(spatial)]
    dilation = [r.choice((1, 1, 2)) for _ in range(spatial)]
    room = [step * (size - 1) + 1 + r.randint(0, 4) for step, size in zip(dilation, window, strict=True)]
    layout, shape = _in_layout(r, [r.choice((1, 2)), r.choice((1, 2, 4)), *room], f"NC{letters}")
    more = _given(
        r,
        strides=[r.choice((1, 2, 3)) for _ in range(spatial)],
        padding=[r.randrange(size) for size in (*window, *window)],
        ceil_mode=r.choice((True, False)),
        count_include_pad=r.choice((True, False)),
        out_layout=_out_layout(r, f"NC{letters}"),
    )
    return Data(shape), {"pool_size": window, "dilation": dilation, "layout": layout, **more}


_POOLS: Final = [f"nn.{kind}_pool{spatial}d" for kind in ("max", "avg") for spatial in (1, 2, 3)]


@_for(*_POOLS)
def _pool(name: str, r: random.Random) -> OperatorCall:
    data, attrs = _pool_attrs(r, int(name[-2]))
    return OperatorCall(name, (data,), attrs)


@_for("nn.adaptive_avg_pool1d", "nn.adaptive_avg_pool2d", "nn.adaptive_avg_pool3d")
def _adaptive(name: str, r: random.Random) -> OperatorCall:
    spatial = int(name[-2])
    letters = _SPATIAL[spatial]
    layout, shape = _in_layout(r, [_size(r), r.choice((1, 2, 4)), *[_size(r) for _ in range(spatial)]], f"NC{letters}")
    more = _given(r, output_size=[_size(r) for _ in range(spatial)], out_layout=_out_layout(r, f"NC{letters}"))
    return OperatorCall(name, (Data(shape),), {"layout": layout, **more})


@_for("grad.max_pool2d_backward", "grad.avg_pool2d_backward")
def _pool_backward(name: str, r: random.Random) -> OperatorCall:
    data, attrs = _pool_attrs(r, 2)
    return OperatorCall(name, (Data(_shape(r)), data), attrs, data)


@_for("grad.nll_loss_backward")
def _nll_backward(name: str, r: random.Random) -> OperatorCall:
    scores, targets, weights = _scores(r)
    return OperatorCall(name, (Data(()), scores, targets, weights), {}, scores)


@_for("grad.take_backward")
def _take_backward(name: str, r: random.Random) -> OperatorCall:
    call = _take("take", r)
    data, indices = call.args
    axis = call.attrs["axis"] % len(data.shape)
    gradient = Data((*data.shape[:axis], *indices.shape, *data.shape[axis + 1 :]), data.dtype)
    return OperatorCall(name, (gradient, data, indices), {"axis": axis}, data)


# Images


@_for("image.resize2d", "image.resize3d")
def _resize(name: str, r: random.Random) -> OperatorCall:
    spatial = int(name[-2])
    axes = f"NC{_SPATIAL[spatial]}"
    whole = [_size(r), r.choice((2, 4, 3)), *[_size(r) for _ in range(spatial)]]
    layout, shape = _in_layout(r, whole, axes)
    wanted = [_size(r) for _ in range(spatial)]
    dtype = r.choice(FLOATS)
    more = _given(r, out_dtype=r.choice(FLOATS))
    made = _arranged([*whole[:2], *wanted], axes, layout)
    return OperatorCall(
        name,
        (Data(shape, dtype), Sizes(tuple(wanted))),
        {"layout": layout, **more},
        Data(made, more.get("out_dtype", dtype)),
    )


def _arranged(whole: Sequence[int], canonical: str, layout: str) -> tuple[int, ...]:
    """The shape of a tensor of these extents in a layout as `_in_layout` draws them."""
    extents = dict(zip(canonical, whole, strict=True))
    inner: list[int] = []
    for at, letter in enumerate(layout):
        if letter.isdigit():
            extents[layout[at + 1].upper()] //= int(letter)
            inner.append(int(letter))
    return (*[extents[letter] for letter in layout if letter.isupper()], *inner)


@_for("image.affine_grid")
def _affine_grid(name: str, r: random.Random) -> OperatorCall:
    wanted = Sizes((_size(r), _size(r)))
    return OperatorCall(name, (Data((_size(r), 2, 3)), wanted), _given(r, align_corners=r.choice((True, False))))


@_for("image.grid_sample")
def _grid_sample(name: str, r: random.Random) -> OperatorCall:
    spatial = r.choice((2, 3))
    axes = f"NC{_SPATIAL[spatial]}"
    whole = [_size(r), r.choice((2, 4, 3)), *[_size(r) for _ in range(spatial)]]
    order = list(axes)
    r.shuffle(order)
    layout = "".join(order)
    wanted = [_size(r) for _ in range(spatial)]
    args = (Data(_arranged(whole, axes, layout)), Data((whole[0], spatial, *wanted)))
    return OperatorCall(name, args, {"layout": layout}, Data(_arranged([*whole[:2], *wanted], axes, layout)))


# Parts of a tensor


@_for("take")
def _take(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    args = (Data(shape, r.choice(ANY)), Data(_shape(r, 0, 2), r.choice(("int64", "int32"))))
    more = _given(r, mode=r.choice(("fast", "clip", "wrap", "nan"))) if name == "take" else {}
    return OperatorCall(name, args, {"axis": _axis(r, len(shape)), **more})


@_for("strided_slice")
def _strided_slice(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    axes = _axes(r, len(shape))
    has_steps = r.random() < 0.7
    slices: list[tuple[int, int, int]] = []
    for axis in axes:
        extent, step = shape[axis], r.choice((1, 1, 2, 3, -1, -2)) if has_steps else 1
        low, high = r.randint(-8, 8), r.randint(-8, 8)
        first, last, _ = slice(low, None if step < 0 and high < -extent else high, step).indices(extent)
        # of an end before the begin TVM has a negative extent
        slices.append((low, high, step) if (last - first) * step >= 0 else (0, extent, abs(step)))
    begins, ends, steps = (list(each) for each in zip(*slices, strict=True))
    return OperatorCall(name, (Data(shape, r.choice(ANY)), axes, begins, ends, *([steps] if has_steps else [])))


@_for("dynamic_strided_slice")
def _dynamic_slice(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    bounds = Data((len(shape),), "int64")
    data = Data(shape, r.choice(ANY))
    return OperatorCall(name, (data, bounds, bounds, bounds), {}, Data((-1,) * len(shape), data.dtype))


@_for("gather_elements")
def _gather_elements(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    axis = _axis(r, len(shape))
    places = [*shape]
    places[axis] = _size(r)
    args = (Data(shape, r.choice(ANY)), Data(tuple(places), "int64"))
    return OperatorCall(name, args, {"axis": axis})


@_for("gather_nd")
def _gather_nd(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 2)
    batch = r.choice((0, 0, 1))
    count = r.randint(1, len(shape) - batch)
    places = (*shape[:batch], *_shape(r, 0, 2), count)
    return OperatorCall(name, (Data(shape, r.choice(ANY)), Data(places, "int64")), {"batch_dims": batch})


@_for("index_tensor")
def _index_tensor(name: str, r: random.Random) -> OperatorCall:
    shape, place = _shape(r, 1), _shape(r, 0, 2)
    count = r.randint(1, len(shape))
    indices = [Data(place if at == 0 else _broadcastable(r, place), "int64") for at in range(count)]
    return OperatorCall(name, (Data(shape, r.choice(ANY)), indices))


@_for("one_hot")
def _one_hot(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r)
    axis = _axis(r, len(shape) + 1)
    on, off = (1.0, 0.0) if r.random() < 0.5 else (1, 0)
    result_dtype = "float32" if isinstance(on, float) else "int64"
    place = axis % (len(shape) + 1)
    depth = _size(r, 2)
    result = Data((*shape[:place], depth, *shape[place:]), result_dtype)
    return OperatorCall(name, (Data(shape, "int32"), on, off, depth), {"axis": axis}, result)


@_for(
    "inspect.tensor_ndim",
    "inspect.tensor_dtype_code",
    "inspect.tensor_dtype_bits",
    "inspect.tensor_dtype_lanes",
    "inspect.tensor_byte_offset",
    "inspect.tensor_elem_offset",
)
def _inspect(name: str, r: random.Random) -> OperatorCall:
    dtype, shape = r.choice(ANY), _shape(r)
    codes = {"int": 0, "uint": 1, "float": 2}
    word = dtype.rstrip("0123456789")
    results = {
        "ndim": Number("int32", len(shape)),
        "dtype_code": Number("uint8", codes[word]),
        "dtype_bits": Number("uint8", int(dtype.removeprefix(word))),
        "dtype_lanes": Number("uint16", 1),
        "byte_offset": Number("uint64", 0),
        "elem_offset": Number("uint64", 0),
    }
    return OperatorCall(name, (Data(shape, dtype),), {}, results[name.removeprefix("inspect.tensor_")])


@_for("inspect.tensor_shape_i", "inspect.tensor_stride_i")
def _inspect_axis(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    axis = r.randrange(len(shape))
    stride = 1
    for extent in shape[axis + 1 :]:
        stride *= extent
    value = shape[axis] if name.endswith("shape_i") else stride
    return OperatorCall(name, (Data(shape), axis), {}, Number("int64", value))


# Products


@_for("matmul")
def _matmul(name: str, r: random.Random) -> OperatorCall:
    inner, dtype = _size(r), r.choice(FLOATS)
    outer = _shape(r, 0, 2)
    left = (inner,) if r.random() < 0.2 else (*_broadcastable(r, outer), _size(r), inner)
    right = (inner,) if r.random() < 0.2 else (*_broadcastable(r, outer), inner, _size(r))
    return OperatorCall(name, (Data(left, dtype), Data(right, dtype)), _given(r, out_dtype=r.choice(FLOATS)))


@_for("einsum")
def _einsum(name: str, r: random.Random) -> OperatorCall:
    extents = {letter: _size(r) for letter in "ijkl"}
    words = ["".join(r.sample("ijkl", r.randint(1, 3))) for _ in range(r.randint(1, 3))]
    is_wide = r.random() < 0.3
    wide = _shape(r, 1, 2) if is_wide else ()
    operands: list[Data] = []
    for word in words:
        prefix = _broadcastable(r, wide) if is_wide else ()
        operands.append(Data((*prefix, *[extents[letter] for letter in word])))
    used = sorted(set("".join(words)))
    dots = "..." if is_wide else ""
    text = ",".join(dots + word for word in words)
    if r.random() < 0.6:
        text += "->" + dots + "".join(r.sample(used, r.randint(0, len(used))))
    return OperatorCall(name, (operands, text))


@_for("outer")
def _outer(name: str, r: random.Random) -> OperatorCall:
    dtype = r.choice(ANY)
    return OperatorCall(name, (Data((_size(r),), dtype), Data((_size(r),), dtype)))


# Moved elements


@_for("broadcast_to")
def _broadcast_to(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r)
    return OperatorCall(name, (Data(_broadcastable(r, shape), r.choice(ANY)), Sizes(shape)))


@_for("collapse_sum_like")
def _collapse_like(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r)
    return OperatorCall(name, (Data(shape), Data(_broadcastable(r, shape), r.choice(ANY))))


@_for("collapse_sum_to")
def _collapse_to(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r)
    return OperatorCall(name, (Data(shape, r.choice(ANY)), Sizes(_broadcastable(r, shape))))


def _parts(r: random.Random, shape: tuple[int, ...], axis: int | None) -> list[Data]:
    """Tensors that differ along an axis alone, if at all."""
    dtype, made = r.choice(ANY), []
    for _ in range(r.choice((1, 2, 2, 3))):
        own = [*shape]
        if axis is not None:
            own[axis] = r.choice((own[axis], _size(r)))
        made.append(Data(tuple(own), dtype))
    return made


@_for("concat")
def _concat(name: str, r: random.Random) -> OperatorCall:
    if r.random() < 0.15:
        return OperatorCall(name, (_parts(r, (_size(r),), 0),), {"axis": None})
    shape = _shape(r, 1)
    axis = _axis(r, len(shape))
    return OperatorCall(name, (_parts(r, shape, axis),), {"axis": axis})


@_for("stack")
def _stack(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r)
    return OperatorCall(name, (_parts(r, shape, None),), {"axis": _axis(r, len(shape) + 1)})


@_for("expand_dims")
def _expand_dims(name: str, r: random.Random) -> OperatorCall:
    shape, count = _shape(r), r.randint(1, 2)
    places = r.sample(range(len(shape) + count), count)
    axes = [place - r.choice((0, len(shape) + count)) for place in places]
    return OperatorCall(name, (Data(shape, r.choice(ANY)), axes))


@_for("flip", "sort", "argsort")
def _along(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    more = {} if name == "flip" else _given(r, descending=r.choice((True, False)))
    if name == "argsort":
        more |= _given(r, dtype=r.choice(("int32", "int64", "float32")))
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), {"axis": _axis(r, len(shape)), **more})


@_for("meshgrid")
def _meshgrid(name: str, r: random.Random) -> OperatorCall:
    dtype = r.choice(ANY)
    return OperatorCall(name, ([Data((_size(r),), dtype) for _ in range(r.randint(1, 3))],))


@_for("permute_dims")
def _permute_dims(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1, 4)
    axes = _axes(r, len(shape), len(shape))
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), _given(r, axes=axes))


@_for("repeat")
def _repeat(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    return OperatorCall(name, (Data(shape, r.choice(ANY)), r.randint(1, 3)), _given(r, axis=_axis(r, len(shape))))


@_for("reverse_sequence")
def _reverse_sequence(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 2)
    along, batch = r.sample(range(len(shape)), 2)
    args = (Data(shape, r.choice(ANY)), Data((shape[batch],), r.choice(("int32", "int64"))))
    return OperatorCall(name, args, {"seq_axis": along, "batch_axis": batch})


@_for("split")
def _split(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    axis = _axis(r, len(shape))
    # NumPy has no last section that is empty before others are
    counts = [count for count in range(1, shape[axis] + 1) if -(-shape[axis] // count) * (count - 1) <= shape[axis]]
    places = sorted(r.sample(range(shape[axis] + 1), r.randint(0, min(2, shape[axis]))))
    return OperatorCall(
        name, (Data(shape, r.choice(ANY)), r.choice(counts) if r.random() < 0.5 else places), {"axis": axis}
    )


@_for("squeeze")
def _squeeze(name: str, r: random.Random) -> OperatorCall:
    shape = tuple(r.choice((1, _size(r))) for _ in range(r.randint(1, 4)))
    ones = [axis - r.choice((0, len(shape))) for axis, extent in enumerate(shape) if extent == 1]
    chosen = r.sample(ones, r.randint(0, len(ones)))
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), _given(r, axis=chosen))


@_for("tile")
def _tile(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(ANY)), [r.randint(1, 3) for _ in range(r.randint(1, 4))]))


@_for("flatten", "size")
def _flatten(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(ANY)),))


@_for("nonzero")
def _nonzero(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r), r.choice(ANY)),), {}, Data((-1, -1), "int64"))


@_for("reshape", "memory.view")
def _reshape(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    factors = [*shape]
    r.shuffle(factors)
    if len(factors) > 1 and r.random() < 0.5:
        factors = [factors[0] * factors[1], *factors[2:]]
    if r.random() < 0.2:
        factors.insert(r.randint(0, len(factors)), 1)
    data = Data(shape, r.choice(ANY))
    if name == "memory.view":
        return OperatorCall(name, (data, Sizes(tuple(factors))), {}, Data(tuple(factors), data.dtype))
    return OperatorCall(name, (data, Sizes(tuple(factors))))


@_for("nn.batch_flatten")
def _batch_flatten(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data(_shape(r, 2, 4), r.choice(FLOATS)),))


@_for("nn.pixel_shuffle")
def _pixel_shuffle(name: str, r: random.Random) -> OperatorCall:
    factor = r.choice((1, 2, 3))
    shape = (*_shape(r, 0, 2), factor**2 * r.choice((1, 2)), _size(r), _size(r))
    return OperatorCall(name, (Data(shape), factor))


@_for("nn.pad")
def _pad(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    return OperatorCall(name, (Data(shape), [r.randint(0, 3) for _ in range(2 * len(shape))]))


# Quantization


@_for("quantize", "dequantize")
def _quantize(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    axis = _axis(r, len(shape))
    parameter = (shape[axis],) if r.random() < 0.6 else ()
    narrow = r.choice(("int8", "uint8", "int16", "uint16"))
    wide = r.choice(("float32", "float16"))
    source, made = (wide, narrow) if name == "quantize" else (narrow, wide)
    args = (Data(shape, source), Data(parameter, "float32"), Data(parameter, "int8"))
    return OperatorCall(name, args, {"axis": axis, "out_dtype": made})


# Reductions

_REDUCTIONS: Final = ["max", "mean", "median", "min", "prod", "std", "sum", "variance"]


@_for(*_REDUCTIONS)
def _reduction(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1, 4)
    dtype = r.choice(FLOATS if name in ("mean", "std", "variance", "median") else ANY)
    return OperatorCall(
        name, (Data(shape, dtype),), _given(r, axis=_axes(r, len(shape)), keepdims=r.choice((True, False)))
    )


@_for("argmax", "argmin")
def _place(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1, 4)
    return OperatorCall(
        name, (Data(shape, r.choice(ANY)),), _given(r, axis=_axis(r, len(shape)), keepdims=r.choice((True, False)))
    )


@_for("cumsum", "cumprod")
def _scan(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    more = _given(r, axis=_axis(r, len(shape)), dtype=r.choice(ANY), exclusive=r.choice((0, 1)))
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), more)


@_for("topk")
def _topk(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r, 1)
    more = _given(r, ret_type=r.choice(("both", "values", "indices")), dtype=r.choice(("int32", "int64")))
    args = (Data(shape, r.choice(ANY)), r.randint(-1, 8))
    return OperatorCall(name, args, {"axis": _axis(r, len(shape)), "largest": r.choice((True, False)), **more})


@_for("unique")
def _unique(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r, 1), r.choice(ANY)
    flags = [r.choice((True, False)) for _ in range(4)]
    places = [Data((-1,), "int64")] * sum(flags[1:])
    if r.random() < 0.5:
        made = Data((-1,) * len(shape), dtype)
        args: tuple[Any, ...] = (Data(shape, dtype), *flags, r.randrange(len(shape)))
    else:
        made, args = Data((-1,), dtype), (Data(shape, dtype), *flags)
    return OperatorCall(name, args, {}, (made, *places) if places else made)


@_for("bucketize")
def _bucketize(name: str, r: random.Random) -> OperatorCall:
    args = (Data(_shape(r), r.choice(ANY)), Data((_size(r),), r.choice(ANY)))
    return OperatorCall(name, args, _given(r, out_int32=r.choice((True, False)), right=r.choice((True, False))))


@_for("where")
def _where(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r), r.choice(ANY)
    shapes = [shape, _broadcastable(r, shape), _broadcastable(r, shape)]
    r.shuffle(shapes)
    return OperatorCall(name, (Data(shapes[0], "bool"), Data(shapes[1], dtype), Data(shapes[2], dtype)))


@_for("multinomial_from_uniform")
def _multinomial(name: str, r: random.Random) -> OperatorCall:
    rows = _size(r)
    args = (Data((_size(r), _size(r))), Data((rows, 1)), Data((rows, 1), "int64"))
    return OperatorCall(name, args, _given(r, dtype=r.choice(("int32", "int64"))))


# Writing into a tensor


@_for("scatter_elements")
def _scatter_elements(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r, 1), r.choice(ANY)
    axis = _axis(r, len(shape))
    places = tuple(r.randint(1, extent) for extent in shape)
    how = r.choice(("update", "add", "mul", "min", "max", "mean"))
    args = (Data(shape, dtype), Data(places, "int64"), Data(places, dtype))
    return OperatorCall(name, args, {"axis": axis, "reduction": how})


@_for("scatter_nd")
def _scatter_nd(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r, 1), r.choice(ANY)
    count, places = r.randint(1, len(shape)), _shape(r, 0, 2)
    args = (Data(shape, dtype), Data((*places, count), "int64"), Data((*places, *shape[count:]), dtype))
    return OperatorCall(name, args, _given(r, reduction=r.choice(("update", "add", "mul", "min", "max"))))


@_for("index_put")
def _index_put(name: str, r: random.Random) -> OperatorCall:
    shape, dtype, count = _shape(r, 1), r.choice(ANY), (_size(r),)
    args = (Data(shape, dtype), [Data(count, "int64") for _ in shape], Data(count, dtype))
    return OperatorCall(name, args, _given(r, accumulate=r.choice((True, False))))


@_for("slice_scatter")
def _slice_scatter(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r, 1), r.choice(ANY)
    axis = r.randrange(len(shape))
    start = r.randrange(shape[axis])
    end, step = r.randint(start, shape[axis]), r.randint(1, 2)
    source = (*shape[:axis], len(range(start, end, step)), *shape[axis + 1 :])
    return OperatorCall(name, (Data(shape, dtype), Data(source, dtype), start, end, step), {"axis": axis})


# Layers


@_for("nn.attention", "nn.attention_bias")
def _attention(name: str, r: random.Random) -> OperatorCall:
    batch, queries, keys, size, values = (_size(r) for _ in range(5))
    shared, times = r.choice((1, 2)), r.choice((1, 2, 3))
    dtype = r.choice(("float32", "float16"))
    args = [
        Data((batch, queries, shared * times, size), dtype),
        Data((batch, keys, shared, size), dtype),
        Data((batch, keys, shared, values), dtype),
    ]
    if name == "nn.attention_bias":
        bias = (r.choice((1, batch)), r.choice((1, shared * times)), r.choice((1, queries)), keys)
        args.append(Data(bias, dtype))
    mask = _given(r, causal_mask=r.choice(("TopLeft", "BottomRight")))
    return OperatorCall(name, tuple(args), mask, Data((batch, queries, shared * times, values), dtype))


@_for("nn.attention_var_len")
def _attention_var_len(name: str, r: random.Random) -> OperatorCall:
    heads, size, values, total = (_size(r) for _ in range(4))
    starts, longest = Data((_size(r),), "int32"), Data((), "int32")
    args = (
        Data((1, total, heads, size)),
        Data((1, total, heads, size)),
        Data((1, total, heads, values)),
        starts,
        longest,
    )
    return OperatorCall(name, args, {}, Data((1, total, heads, values)))


@_for("nn.cross_entropy_with_logits")
def _cross_entropy(name: str, r: random.Random) -> OperatorCall:
    data = Data(_shape(r, 1), r.choice(FLOATS))
    return OperatorCall(name, (data, data))


def _scores(r: random.Random) -> tuple[Data, Data, Data]:
    """What is predicted, what is asked for, and weights of classes."""
    classes, more = _size(r), _shape(r, 0, 2)
    if r.random() < 0.2:
        return Data((classes,)), Data((), "int64"), Data((classes,))
    batch = _size(r)
    return Data((batch, classes, *more)), Data((batch, *more), "int64"), Data((classes,))


@_for("nn.nll_loss")
def _nll(name: str, r: random.Random) -> OperatorCall:
    scores, targets, weights = _scores(r)
    args = (scores, targets, weights) if r.random() < 0.7 else (scores, targets)
    return OperatorCall(name, args, {"reduction": r.choice(("none", "none", "mean", "sum"))})


@_for("nn.batch_norm")
def _batch_norm(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r, 1, 4), r.choice(FLOATS)
    axis = _axis(r, len(shape))
    return OperatorCall(name, (Data(shape, dtype), *[Data((shape[axis],), dtype)] * 4), {"axis": axis})


@_for("nn.layer_norm", "nn.rms_norm")
def _layer_norm(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r, 1, 4), r.choice(FLOATS)
    axes = _axes(r, len(shape))
    parameter = Data(tuple(shape[axis] for axis in axes), dtype)
    count = 2 if name == "nn.layer_norm" else 1
    return OperatorCall(name, (Data(shape, dtype), *[parameter] * count), {"axes": axes})


@_for("nn.group_norm", "nn.instance_norm")
def _group_norm(name: str, r: random.Random) -> OperatorCall:
    groups, dtype = r.choice((1, 2, 3)), r.choice(FLOATS)
    shape = [*_shape(r, 1)]
    channel = r.randint(0, len(shape))
    shape.insert(channel, groups * r.choice((1, 2)))
    others = [axis for axis in range(len(shape)) if axis != channel]
    axes = r.sample(others, r.randint(1, len(others)))
    attrs: dict[str, Any] = {"channel_axis": channel - r.choice((0, len(shape))), "axes": axes}
    if name == "nn.group_norm":
        attrs["num_groups"] = groups
    parameter = Data((shape[channel],), dtype)
    return OperatorCall(name, (Data(tuple(shape), dtype), parameter, parameter), attrs)


# Boxes


@_for("vision.get_valid_counts")
def _valid_counts(name: str, r: random.Random) -> OperatorCall:
    return OperatorCall(name, (Data((_size(r), _size(r), 6)),), _given(r, id_index=r.choice((0, -1)), score_index=1))


@_for("vision.non_max_suppression")
def _suppression(name: str, r: random.Random) -> OperatorCall:
    images, boxes, width = _size(r), _size(r), r.choice((6, 7))
    data = Data((images, boxes, width))
    args = (data, Data((images,), "int32"), Data((images, boxes), "int32"))
    told = (Data((images, boxes), "int32"), Data((images, 1), "int32"))
    kind = r.choice(("boxes", "places", "soft"))
    attrs = {"return_indices": kind != "boxes", "soft_nms_sigma": 0.5 if kind == "soft" else 0.0}
    result = {"boxes": data, "places": told, "soft": (data, *told)}[kind]
    return OperatorCall(name, args, attrs, result)


@_for("vision.all_class_non_max_suppression")
def _every_class(name: str, r: random.Random) -> OperatorCall:
    images, boxes, classes = _size(r), _size(r), _size(r)
    scalar = Data((1,))
    args = (Data((images, boxes, 4)), Data((images, classes, boxes)), Data((1,), "int64"), scalar, scalar)
    if r.random() < 0.5:
        result: Any = (Data((images * classes * boxes, 3), "int64"), Data((1,), "int64"))
        return OperatorCall(name, args, {"output_format": "onnx"}, result)
    lists = (images, classes * boxes)
    result = (Data((*lists, 2), "int64"), Data(lists), Data((images,), "int64"))
    return OperatorCall(name, args, {"output_format": "tensorflow"}, result)


@_for("vision.multibox_transform_loc")
def _multibox(name: str, r: random.Random) -> OperatorCall:
    images, classes, boxes = _size(r), _size(r), _size(r)
    dtype = r.choice(FLOATS)
    args = (Data((images, classes, boxes), dtype), Data((images, 4 * boxes), dtype), Data((1, boxes, 4), dtype))
    return OperatorCall(name, args, {}, (Data((images, boxes, 4), dtype), Data((images, classes, boxes), dtype)))


@_for("vision.roi_align", "vision.roi_pool")
def _regions(name: str, r: random.Random) -> OperatorCall:
    layout = r.choice(("NCHW", "NHWC")) if name == "vision.roi_align" else "NCHW"
    whole, regions, wanted = [_size(r) for _ in range(4)], _size(r), (_size(r), _size(r))
    args = (Data(_arranged(whole, "NCHW", layout)), Data((regions, 5)), list(wanted), 0.5)
    result = Data(_arranged([regions, whole[1], *wanted], "NCHW", layout))
    return OperatorCall(name, args, {"layout": layout}, result)


# Workers, shapes, memory


@_for("ccl.allgather")
def _allgather(name: str, r: random.Random) -> OperatorCall:
    shape, workers, dtype = _shape(r, 1), r.randint(1, 4), r.choice(ANY)
    return OperatorCall(name, (Data(shape, dtype), workers), {}, Data((shape[0] * workers, *shape[1:]), dtype))


@_for("ccl.scatter_from_worker0", "dist.redistribute_replica_to_shard")
def _scatter(name: str, r: random.Random) -> OperatorCall:
    workers, dtype = r.randint(1, 3), r.choice(ANY)
    shape = tuple(_size(r) * workers for _ in range(r.randint(1, 3)))
    axis = r.randrange(len(shape))
    result = Data((*shape[:axis], shape[axis] // workers, *shape[axis + 1 :]), dtype)
    return OperatorCall(name, (Data(shape, dtype), workers, axis), {}, result)


@_for("shape_of")
def _shape_of(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r)
    return OperatorCall(name, (Data(shape, r.choice(ANY)),), {}, Sizes(shape))


@_for("tensor_to_shape")
def _tensor_to_shape(name: str, r: random.Random) -> OperatorCall:
    count = _size(r)
    return OperatorCall(name, (Data((count,), "int64"),), {}, Sizes((-1,) * count))


@_for("shape_to_tensor")
def _shape_to_tensor(name: str, r: random.Random) -> OperatorCall:
    shape = _shape(r)
    return OperatorCall(name, (Sizes(shape),), {}, Data((len(shape),), "int64"))


@_for("builtin.alloc_tensor")
def _alloc(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r), r.choice(ANY)
    return OperatorCall(name, (Sizes(shape), dtype, 0, "global"), {}, Data(shape, dtype))


@_for("memory.alloc_tensor", "vm.alloc_tensor")
def _alloc_in_storage(name: str, r: random.Random) -> OperatorCall:
    shape, dtype = _shape(r), r.choice(ANY)
    return OperatorCall(name, (Data((4,), "uint8"), 0, Sizes(shape), dtype), {}, Data(shape, dtype))


__all__ = ["RECIPES", "Data", "Number", "OperatorCall", "Sizes", "operator", "operator_call"]
