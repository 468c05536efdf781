"""Products of few-bit integers: bits are packed into words, and words are multiplied by `and` and `popcount`.

The product of words of bit a of the data and bit b of the weights counts 2 ** (a + b)
(M. Cowan et al., Automating Generation of Low Precision Deep Learning Operators, 2018, arXiv:1810.11066).
"""

from __future__ import annotations

from tvmscript.ir.core import DType
from tvmscript.ir.te import reduction
from tvmscript.ir.te.construct import compute, reduce_axis
from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Expr, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.topi.common import Extents, Padding, as_int, function, simplify
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.join import concatenate
from tvmscript.ir.topi.nn.padding import pad
from tvmscript.ir.topi.nn.windows import each, pad_tuple


def bitpack(
    data: Tensor, bits: int, pack_axis: int, bit_axis: int, pack_type: str, name: str = "QuantizeInput"
) -> Tensor:
    """Return words of bits: elements of integers along `pack_axis` share one, the bits are along a new `bit_axis`."""
    where = "nn.bitpack"
    width = DType(pack_type).bits
    if as_int(data.shape[pack_axis], where) % width:
        raise InvalidOperand(where=where, reason=f"the extent {data.shape[pack_axis]} is no multiple of {width}")
    shape: list[Extent] = list(data.shape)
    shape[pack_axis] = simplify(function("indexdiv")(data.shape[pack_axis], width))
    shape.insert(bit_axis, 1)

    def words(*i: Expr) -> list[Expr]:
        indices = [*i[:bit_axis], *i[bit_axis + 1 :]]
        packed = [const(0, pack_type)] * bits
        for k in range(width):
            index = indices[pack_axis]
            element = data(*indices[:pack_axis], index * width + k, *indices[pack_axis + 1 :])
            for bit in range(bits):
                here = cast_expr(pack_type, (element & const(1 << bit, "int32")) >> const(bit, "int32"))
                packed[bit] = packed[bit] | here
                if k < width - 1:
                    packed[bit] = packed[bit] << const(1, pack_type)
        return packed

    if bits == 1:
        return compute(shape, lambda *i: words(*i)[0], name=name, tag="bitpack")
    return concatenate(compute(shape, words, name=name, tag="bitpack"), axis=bit_axis)


def _term(data: Expr, weight: Expr, bit: Expr, out_dtype: str, unipolar: bool, is_dense: bool) -> Expr:
    """Return what two words count: with `unipolar` a bit 0 of the weight is -1."""
    count = function("popcount")

    def ones(first: Expr, second: Expr) -> Expr:
        return count(second & first if is_dense else first & second)

    total = ones(data, weight)
    if unipolar:
        others = ones(data, function("bitwise_not")(weight))
        if data.dtype.bits < DType(str(out_dtype)).bits:
            # a word is too narrow for a difference below 0
            return (cast_expr(out_dtype, total) - cast_expr(out_dtype, others)) << cast_expr(out_dtype, bit)
        total = total - others
    if is_dense:
        return cast_expr(out_dtype, total) << cast_expr(out_dtype, bit)
    return cast_expr(out_dtype, total << cast_expr(out_dtype, bit))


def _conv2d(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    activation_bits: int,
    weight_bits: int,
    pack_dtype: str,
    out_dtype: str,
    unipolar: bool,
    layout: str,
) -> Tensor:
    """Return a convolution of packed bits; a kernel of 5 dimensions is packed already."""
    where = f"nn.bitserial_conv2d_{layout.lower()}"
    is_first = layout == "NCHW"
    if data.ndim != 4 or kernel.ndim not in (4, 5):
        raise InvalidOperand(where=where, reason="the data have 4 dimensions, the kernel 4, or 5 with packed bits")
    channel_axis = layout.index("C")
    packed = bitpack(data, activation_bits, channel_axis, channel_axis + 1, pack_dtype)
    weights = kernel if kernel.ndim == 5 else bitpack(kernel, weight_bits, 1 if is_first else 2, 4, pack_dtype)
    kernel_axes = "OIHWB" if is_first else "HWIOB"
    filters, words, height, width, _ = (weights.shape[kernel_axes.index(letter)] for letter in "OIHWB")
    data_axes = "NCBHW" if is_first else "NHWCB"
    heads, tails = pad_tuple(padding, (height, width), where)
    before, after = (
        [{"H": rows, "W": columns}.get(letter, 0) for letter in data_axes] for rows, columns in (heads, tails)
    )
    source = pad(packed, before, after, name="pad_temp" if is_first else "PaddedInput")
    strides = each(stride, 2, where)
    rc, ry, rx = (reduce_axis((0, size), axis) for size, axis in ((words, "rc"), (height, "ry"), (width, "rx")))
    weight_bit, data_bit = reduce_axis((0, weight_bits), "b2"), reduce_axis((0, activation_bits), "b1")
    out = [
        simplify(function("indexdiv")(source.shape[data_axes.index(letter)] - size, step) + 1)
        for letter, size, step in zip("HW", (height, width), strides, strict=True)
    ]
    sizes = {"N": data.shape[0], "C": filters, "H": out[0], "W": out[1]}
    names = {"N": "nn", "C": "ff", "H": "yy", "W": "xx"}

    def value(*i: Expr) -> Expr:
        at = dict(zip(layout, i, strict=True))
        place = {
            "N": at["N"], "C": rc, "B": data_bit,
            "H": at["H"] * strides[0] + ry.var, "W": at["W"] * strides[1] + rx.var,
        }  # fmt: skip
        word = source(*[place[letter] for letter in data_axes])
        taps = {"O": at["C"], "I": rc, "H": ry, "W": rx, "B": weight_bit}
        weight = weights(*[taps[letter] for letter in kernel_axes])
        bit = data_bit.var + weight_bit.var
        term = _term(word, weight, bit, out_dtype, unipolar, is_dense=False)
        return reduction.sum(term, axis=[rc, ry, rx, weight_bit, data_bit])

    return compute(
        [sizes[letter] for letter in layout],
        value,
        name="Conv2dOutput",
        tag=f"bitserial_conv2d_{layout.lower()}",
        varargs_names=[names[letter] for letter in layout],
    )


def bitserial_conv2d_nchw(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    activation_bits: int,
    weight_bits: int,
    pack_dtype: str = "uint32",
    out_dtype: str = "int16",
    unipolar: bool = True,
) -> Tensor:
    """Return ONNX's Conv of the lowest bits, channels second; with `unipolar` bits 0 of weights are -1."""
    options = (activation_bits, weight_bits, pack_dtype, out_dtype, unipolar)
    return _conv2d(data, kernel, stride, padding, *options, "NCHW")


def bitserial_conv2d_nhwc(
    data: Tensor,
    kernel: Tensor,
    stride: Extents,
    padding: Padding,
    activation_bits: int,
    weight_bits: int,
    pack_dtype: str = "uint32",
    out_dtype: str = "int16",
    unipolar: bool = True,
) -> Tensor:
    """Return ONNX's Conv of the lowest bits, channels last; with `unipolar` bits 0 of weights are -1."""
    options = (activation_bits, weight_bits, pack_dtype, out_dtype, unipolar)
    return _conv2d(data, kernel, stride, padding, *options, "NHWC")


def bitserial_dense(
    data: Tensor,
    weight: Tensor,
    data_bits: int,
    weight_bits: int,
    pack_dtype: str = "uint32",
    out_dtype: str = "int16",
    unipolar: bool = True,
) -> Tensor:
    """Return `data @ weight.T` of the lowest bits; a weight of 3 dimensions is packed; `unipolar` bits 0 are -1."""
    if data.ndim != 2 or weight.ndim not in (2, 3):
        reason = "the data are a matrix, the weight is one, or has 3 dimensions with packed bits"
        raise InvalidOperand(where="nn.bitserial_dense", reason=reason)
    words = bitpack(data, data_bits, 1, 1, pack_dtype)
    weights = weight if weight.ndim == 3 else bitpack(weight, weight_bits, 1, 1, pack_dtype)
    rows, _, count = words.shape
    columns, kernel_bits, _ = weights.shape
    weight_bit, data_bit = reduce_axis((0, kernel_bits), "wb"), reduce_axis((0, data_bits), "db")
    k = reduce_axis((0, count), "k")

    def value(i: Expr, j: Expr) -> Expr:
        word, other = words(i, data_bit, k), weights(j, weight_bit, k)
        term = _term(word, other, data_bit.var + weight_bit.var, out_dtype, unipolar, is_dense=True)
        return reduction.sum(term, axis=[weight_bit, data_bit, k])

    return compute((rows, columns), value, tag=f"bitserial_dense{'_unipolar' if unipolar else ''}")
