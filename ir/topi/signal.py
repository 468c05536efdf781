"""Fourier transforms, as kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tvmscript.ir.te.tensor import Extent, Tensor
from tvmscript.ir.tir import Cast, const
from tvmscript.ir.tir import cast as cast_expr
from tvmscript.ir.tir.ir_builder import BufferVar, IRBuilder
from tvmscript.ir.topi.common import as_int, function, product
from tvmscript.ir.topi.errors import InvalidOperand
from tvmscript.ir.topi.kernels import kernel, kernels


def dft(re_data: Tensor, im_data: Tensor, inverse: Extent) -> list[Tensor]:
    """Return numpy.fft.fft, or numpy.fft.ifft, of the rows of a real and an imaginary part, as two tensors."""
    if re_data.ndim != im_data.ndim or re_data.ndim == 0:
        raise InvalidOperand(where="dft", reason="the parts are of one shape with an axis")
    is_inverse = bool(as_int(inverse, "dft"))
    size = re_data.shape[-1]
    rows = product(re_data.shape[:-1])
    dtype = str(re_data.dtype)
    sign = 1 if is_inverse else -1
    # angles of halves are those of float32
    kind = "float64" if dtype == "float64" else "float32"
    full_turn = const(sign * 2 * math.pi, kind)
    scale = const(1, "float32") / function("cast")(size, "float32") if is_inverse else const(1.0, "float32")
    cos, sin = function("cos"), function("sin")

    def body(ib: IRBuilder, re: BufferVar, im: BufferVar, re_out: BufferVar, im_out: BufferVar) -> None:
        with ib.for_range(0, rows, "i", kind="parallel") as i:
            base = i * size
            with ib.for_range(0, size, "j") as j:
                place = base + j
                re_out[place] = Cast(dtype, const(0))
                im_out[place] = Cast(dtype, const(0))
                turn = full_turn * cast_expr(kind, j) / cast_expr(kind, size)
                with ib.for_range(0, size, "k") as k:
                    angle = turn * cast_expr(kind, k)
                    cosine, sine = Cast(dtype, cos(angle)), Cast(dtype, sin(angle))
                    a, b = re[base + k], im[base + k]
                    re_out[place] = re_out[place] + (a * cosine - b * sine)
                    im_out[place] = im_out[place] + (a * sine + b * cosine)
                re_out[place] = re_out[place] * Cast(dtype, scale)
                im_out[place] = im_out[place] * Cast(dtype, scale)

    return kernels("dft_cpu", [(re_data.shape, dtype)] * 2, [re_data, im_data], body)


def stft(
    data: Tensor,
    n_fft: int,
    hop_length: int,
    win_length: int,
    window: Tensor,
    normalized: bool,
    onesided: bool,
    output_shape: Sequence[Extent],
) -> Tensor:
    """Return torch.stft of rows without centring: the last axis has the real and the imaginary part."""
    dtype = str(data.dtype)
    if data.ndim != 2 or window.ndim != 1:
        raise InvalidOperand(where="stft", reason="the data have two dimensions, the window one")
    full_turn = const(2 * math.pi, dtype)
    cos, sin = function("cos"), function("sin")

    def body(ib: IRBuilder, source: BufferVar, weights: BufferVar, target: BufferVar) -> None:
        batch, frequencies, frames = output_shape[:3]
        with (
            ib.for_range(0, batch * frequencies, "i", kind="parallel") as i,
            ib.for_range(0, frames, "j", kind="vectorize") as j,
        ):
            row, frequency = i // frequencies, i % frequencies
            re, im = ((row, frequency, j, part) for part in (0, 1))
            target[re] = Cast(dtype, const(0))
            target[im] = Cast(dtype, const(0))
            with ib.for_range(0, win_length, "k") as k:
                angle = full_turn * cast_expr(dtype, frequency) * cast_expr(dtype, k) / const(win_length, dtype)
                sample = weights[k] * source[row, j * hop_length + k]
                target[re] = target[re] + sample * cos(angle)
                target[im] = target[im] - sample * sin(angle)
            if normalized:
                for part in (re, im):
                    target[part] = target[part] / cast_expr(dtype, function("sqrt")(const(n_fft, "float32")))

    return kernel("stft_cpu", output_shape, dtype, [data, window], body, "output_buf")
