"""A two-dimensional convolution, NHWC, with zero padding written as a block of its own."""

from __future__ import annotations

from typing import Annotated

from tvmscript import T


@T.prim_func
def conv2d(
    data: Annotated[T.Buffer, (1, 14, 14, 8), "float32"],
    kernel: Annotated[T.Buffer, (3, 3, 8, 16), "float32"],
    out: Annotated[T.Buffer, (1, 14, 14, 16), "float32"],
) -> None:
    T.func_attr({"tir.noalias": T.bool(True)})
    # with T.block("root"):
    padded = T.alloc_buffer((1, 16, 16, 8))
    for n, h, w, c in T.grid(1, 16, 16, 8):
        with T.block("pad"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            T.reads(data[vn, vh - 1, vw - 1, vc])
            T.writes(padded[vn, vh, vw, vc])
            padded[vn, vh, vw, vc] = T.if_then_else(
                vh >= 1 and vh < 15 and vw >= 1 and vw < 15, data[vn, vh - 1, vw - 1, vc], T.float32(0)
            )
    for n, h, w, o, r, s, c in T.grid(1, 14, 14, 16, 3, 3, 8):
        with T.block("conv"):
            vn, vh, vw, vo, vr, vs, vc = T.axis.remap("SSSSRRR", [n, h, w, o, r, s, c])
            T.reads(padded[vn, vh + vr, vw + vs, vc], kernel[vr, vs, vc, vo])
            T.writes(out[vn, vh, vw, vo])
            with T.init():
                out[vn, vh, vw, vo] = T.float32(0)
            out[vn, vh, vw, vo] = out[vn, vh, vw, vo] + padded[vn, vh + vr, vw + vs, vc] * kernel[vr, vs, vc, vo]
