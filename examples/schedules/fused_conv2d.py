"""A schedule that fuses: padding, convolution, bias and ReLU as one pass over the image, on all cores.

As written, each of the four stages goes over the whole image and leaves its result in memory for the next one. The
schedule computes all of them for a small piece of the image before it turns to the next piece. Run it with
`python examples/schedules/fused_conv2d.py`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

import tvmscript
from tvmscript import T

#: how long each program is timed
SECONDS = 0.5


@T.prim_func
def conv2d_relu(
    data: Annotated[T.Buffer, (1, 56, 56, 64), "float32"],
    kernel: Annotated[T.Buffer, (3, 3, 64, 64), "float32"],
    bias: Annotated[T.Buffer, (64,), "float32"],
    out: Annotated[T.Buffer, (1, 56, 56, 64), "float32"],
) -> None:
    T.func_attr({"tir.noalias": T.bool(True)})
    # with T.block("root"):
    padded = T.alloc_buffer((1, 58, 58, 64))
    conv = T.alloc_buffer((1, 56, 56, 64))
    biased = T.alloc_buffer((1, 56, 56, 64))
    for n, h, w, c in T.grid(1, 58, 58, 64):
        with T.block("padded"):
            vn, vh, vw, vc = T.axis.remap("SSSS", [n, h, w, c])
            T.reads(data[vn, vh - 1, vw - 1, vc])
            T.writes(padded[vn, vh, vw, vc])
            padded[vn, vh, vw, vc] = T.if_then_else(
                vh >= 1 and vh < 57 and vw >= 1 and vw < 57, data[vn, vh - 1, vw - 1, vc], T.float32(0)
            )
    for n, h, w, o, r, s, c in T.grid(1, 56, 56, 64, 3, 3, 64):
        with T.block("conv"):
            vn, vh, vw, vo, vr, vs, vc = T.axis.remap("SSSSRRR", [n, h, w, o, r, s, c])
            T.reads(padded[vn, vh + vr, vw + vs, vc], kernel[vr, vs, vc, vo])
            T.writes(conv[vn, vh, vw, vo])
            with T.init():
                conv[vn, vh, vw, vo] = T.float32(0)
            conv[vn, vh, vw, vo] = conv[vn, vh, vw, vo] + padded[vn, vh + vr, vw + vs, vc] * kernel[vr, vs, vc, vo]
    for n, h, w, o in T.grid(1, 56, 56, 64):
        with T.block("biased"):
            vn, vh, vw, vo = T.axis.remap("SSSS", [n, h, w, o])
            T.reads(conv[vn, vh, vw, vo], bias[vo])
            T.writes(biased[vn, vh, vw, vo])
            biased[vn, vh, vw, vo] = conv[vn, vh, vw, vo] + bias[vo]
    for n, h, w, o in T.grid(1, 56, 56, 64):
        with T.block("relu"):
            vn, vh, vw, vo = T.axis.remap("SSSS", [n, h, w, o])
            T.reads(biased[vn, vh, vw, vo])
            T.writes(out[vn, vh, vw, vo])
            out[vn, vh, vw, vo] = T.max(biased[vn, vh, vw, vo], T.float32(0))


def schedule(sch: tvmscript.Schedule) -> None:
    """One loop nest for all four stages."""
    conv = sch.get_block("conv")

    # The bias is added where its sum is read: no memory for `biased`, no loops of its own.
    sch.compute_inline("biased")

    # The last stage leads: a piece of the result is one row of the image, 8 columns, and all channels in vectors of 32.
    relu = sch.get_block("relu")
    _, h, w, o = sch.get_loops(relu)
    w_tile, w_in_tile = sch.split(w, [None, 8])
    o_tile, o_in_tile = sch.split(o, [None, 32])
    sch.reorder(h, w_tile, o_tile, w_in_tile, o_in_tile)
    sch.vectorize(o_in_tile)
    sch.parallel(h)

    # The convolution is done for each piece, just before its bias and ReLU. Its loops are new: for the piece alone.
    sch.compute_at(conv, o_tile)
    # Each row of the image pads what it needs: its own row, the one above and the one below.
    sch.compute_at("padded", h)
    sch.vectorize(sch.get_loops("padded")[-1])

    # The sums over the window and the input channels are outside, so that a whole piece is added to at once: it is in
    # the vector registers until it is complete.
    *_, w_of_conv, o_of_conv, r, s, c = sch.get_loops(conv)
    sch.reorder(r, s, c, w_of_conv, o_of_conv)
    sch.vectorize(o_of_conv)
    sch.unroll(w_of_conv)
    sch.decompose_reduction(conv, r)


def seconds(function: Callable[..., Any], *arrays: Any) -> float:
    """The time of the fastest call within a while; on a busy machine the threads wait for each other."""
    times: list[float] = []
    while len(times) < 3 or sum(times) < SECONDS:
        start = time.perf_counter()
        function(*arrays)
        times.append(time.perf_counter() - start)
    return min(times)


def reference(data: Any, kernel: Any, bias: Any) -> Any:
    """What comes out, in NumPy: a product of the windows with the kernel."""
    padded = np.pad(data, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    return np.maximum(np.einsum("nhwcrs,rsco->nhwo", windows, kernel, optimize=True) + bias, 0)


def main() -> None:
    """Check both programs against NumPy, and tell how much faster the second one is."""
    sch = tvmscript.Schedule(conv2d_relu)
    schedule(sch)
    print(sch.mod.script())

    generator = np.random.default_rng(0)
    shapes = [(1, 56, 56, 64), (3, 3, 64, 64), (64,)]
    inputs = [generator.uniform(-1, 1, shape).astype("float32") for shape in shapes]
    times: dict[str, float] = {}
    for name, program in (("as written", conv2d_relu), ("scheduled", sch.mod)):
        function = next(iter(tvmscript.build(program).functions.values()))
        out = np.zeros((1, 56, 56, 64), "float32")
        function(*inputs, out)
        np.testing.assert_allclose(out, reference(*inputs), rtol=1e-3, atol=1e-3)
        times[name] = seconds(function, *inputs, out)
        print(f"{name}: {times[name] * 1e3:.2f} ms")
    print(f"{times['as written'] / times['scheduled']:.0f} times as fast")


if __name__ == "__main__":
    main()
