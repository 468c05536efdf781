"""TE operators of every family, as PrimFuncs (`te.create_prim_func`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import tvm
from store import Store
from tvm import te, tir, topi

Case = tuple[str, Callable[[], Any]]


def ph(*shape: Any, dtype: str = "float32", name: str = "A") -> Any:
    """A placeholder."""
    return te.placeholder(shape, dtype=dtype, name=name)


def prim_func(*tensors: Any) -> Any:
    """The function of TE tensors; results may come as lists."""
    flat: list[Any] = []
    for tensor in tensors:
        flat += tensor if isinstance(tensor, list | tuple | tvm.ir.Array) else [tensor]
    return te.create_prim_func(flat)


FLOAT_UNARY = [
    "abs",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "ceil",
    "cos",
    "cosh",
    "erf",
    "exp",
    "fast_erf",
    "fast_exp",
    "fast_tanh",
    "floor",
    "identity",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "log10",
    "log2",
    "negative",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "mod",
    "floor_mod",
    "maximum",
    "minimum",
    "power",
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "less",
    "less_equal",
]
INT_BINARY = [
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "left_shift",
    "right_shift",
    "floor_divide",
    "floor_mod",
    "add",
]
REDUCTIONS = ["sum", "prod", "max", "min", "argmax", "argmin"]
DTYPES = [
    "float16",
    "float64",
    "bfloat16",
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int64",
    "uint32",
    "uint64",
    "e4m3_float8",
    "e5m2_float8",
]


def elementwise() -> Iterator[Case]:
    for name in FLOAT_UNARY:

        def unary(name: str = name) -> Any:
            a = ph(16, 32)
            return prim_func(a, getattr(topi, name)(a))

        def dynamic(name: str = name) -> Any:
            a = ph(te.var("n"), te.var("m"), dtype="float16")
            return prim_func(a, getattr(topi, name)(a))

        yield name, unary
        yield f"{name}-dynamic", dynamic
    for name in BINARY:

        def binary(name: str = name) -> Any:
            a, b = ph(4, 1, 16), ph(8, 1, name="B")
            return prim_func(a, b, getattr(topi, name)(a, b))

        yield f"{name}-broadcast", binary
    for name in INT_BINARY:
        for dtype in ("int32", "uint8", "int64"):

            def integers(name: str = name, dtype: str = dtype) -> Any:
                a, b = ph(8, dtype=dtype), ph(8, dtype=dtype, name="B")
                return prim_func(a, b, getattr(topi, name)(a, b))

            yield f"{name}-{dtype}", integers
    for name in ("logical_and", "logical_or", "logical_xor"):

        def logical(name: str = name) -> Any:
            a, b = ph(8, dtype="bool"), ph(8, dtype="bool", name="B")
            return prim_func(a, b, getattr(topi, name)(a, b))

        yield name, logical
    for dtype in DTYPES:

        def cast(dtype: str = dtype) -> Any:
            a = ph(8)
            return prim_func(a, topi.cast(a, dtype))

        def arithmetic(dtype: str = dtype) -> Any:
            a, b = ph(8, dtype=dtype), ph(8, dtype=dtype, name="B")
            return prim_func(a, b, te.compute((8,), lambda i: a[i] * b[i] + tir.const(2, dtype), name="C"))

        yield f"cast-{dtype}", cast
        yield f"arithmetic-{dtype}", arithmetic
    a, b = ph(8, 8), ph(8, 8, name="B")
    yield "clip", lambda: prim_func(a, topi.clip(a, -1.5, 6.0))
    yield "where", lambda: prim_func(c := ph(8, 8, dtype="bool", name="C"), a, b, topi.where(c, a, b))
    yield "elemwise-sum", lambda: prim_func(a, b, topi.elemwise_sum([a, b, a]))
    yield "full-like", lambda: prim_func(a, topi.full_like(a, 3.0))
    yield "full", lambda: prim_func(topi.full((3, 4), "int64", 7))
    yield "arange", lambda: prim_func(topi.arange(0, 10, 2, "int32"))
    yield "bitwise-not", lambda: prim_func(i := ph(8, dtype="int32"), topi.bitwise_not(i))
    yield "logical-not", lambda: prim_func(i := ph(8, dtype="bool"), topi.logical_not(i))
    yield "leaky-relu", lambda: prim_func(a, topi.nn.leaky_relu(a, 0.1))
    yield "relu", lambda: prim_func(a, topi.nn.relu(a))
    yield "prelu", lambda: prim_func(x := ph(1, 4, 8, 8), s := ph(4, name="s"), topi.nn.prelu(x, s))
    yield "reinterpret", lambda: prim_func(a, topi.reinterpret(a, "int32"))
    yield "fixed-point", lambda: prim_func(i := ph(8, dtype="int32"), topi.fixed_point_multiply(i, 1 << 30, 2))


def reductions() -> Iterator[Case]:
    for name in REDUCTIONS:
        for axis, keep in ((1, False), ((0, 2), True), (None, False)):

            def reduce(name: str = name, axis: Any = axis, keep: bool = keep) -> Any:
                a = ph(4, 8, 16)
                axis = axis[0] if isinstance(axis, tuple) and name.startswith("arg") else axis
                return prim_func(a, getattr(topi, name)(a, axis=axis, keepdims=keep))

            yield f"{name}-{axis}-{keep}", reduce
    for dtype in ("int32", "float16", "int64", "uint8"):
        yield f"sum-{dtype}", lambda d=dtype: prim_func(a := ph(4, 8, dtype=d), topi.sum(a, axis=1))
        yield f"max-{dtype}", lambda d=dtype: prim_func(a := ph(4, 8, dtype=d), topi.max(a, axis=1))
    for name in ("all", "any"):
        yield name, lambda f=name: prim_func(a := ph(4, 8, dtype="bool"), getattr(topi, f)(a, axis=1))
    x = ph(4, 16)
    for name in ("softmax", "log_softmax", "fast_softmax"):
        yield name, lambda f=name: prim_func(x, getattr(topi.nn, f)(x, axis=1))
    yield "softmax-0", lambda: prim_func(x, topi.nn.softmax(x, axis=0))
    n = te.var("n")
    yield "softmax-dynamic", lambda: prim_func(d := ph(n, 16), topi.nn.softmax(d))

    def argmax_pair() -> Any:
        index, value = ph(128, 128, dtype="int32", name="idx"), ph(128, 128, name="val")
        pick = te.comm_reducer(
            lambda a, b: (tir.Select(a[1] >= b[1], a[0], b[0]), tir.Select(a[1] >= b[1], a[1], b[1])),
            lambda t0, t1: (tir.const(-1, t0), te.min_value(t1)),
            name="argmax",
        )
        k = te.reduce_axis((0, 128), "k")
        best = te.compute((128,), lambda i: pick((index[i, k], value[i, k]), axis=k), name="T")
        return prim_func(index, value, best)

    yield "argmax-tuple", argmax_pair

    def guarded(where: bool = True) -> Any:
        a = ph(16, 16)
        k = te.reduce_axis((0, 16), "k")
        return prim_func(a, te.compute((16,), lambda i: te.sum(a[i, k], axis=k, where=k < i), name="B"))

    yield "sum-where", guarded
    yield "collapse-sum", lambda: prim_func(a := ph(4, 8, 16), topi.collapse_sum(a, (8, 1)))


def neural() -> Iterator[Case]:
    nn = topi.nn
    data, weight = ph(1, 8, 14, 14, name="data"), ph(16, 8, 3, 3, name="weight")
    for stride, padding, dilation in ((1, 1, 1), (2, 0, 1), (1, 2, 2), (1, (0, 1, 2, 3), 1)):
        yield f"conv2d-nchw-{stride}-{padding}-{dilation}", lambda s=stride, p=padding, d=dilation: prim_func(
            data, weight, nn.conv2d_nchw(data, weight, s, p, d))  # fmt: skip
    nhwc, hwio = ph(1, 14, 14, 8, name="data"), ph(3, 3, 8, 16, name="weight")
    yield "conv2d-nhwc", lambda: prim_func(nhwc, hwio, nn.conv2d_nhwc(nhwc, hwio, 1, 1, 1))
    half, half_weight = ph(1, 14, 14, 8, dtype="float16", name="data"), ph(3, 3, 8, 16, dtype="float16", name="weight")
    yield "conv2d-mixed", lambda: prim_func(half, half_weight, nn.conv2d_nhwc(half, half_weight, 1, 1, 1, "float32"))
    byte, byte_weight = ph(1, 14, 14, 8, dtype="uint8", name="data"), ph(3, 3, 8, 16, dtype="int8", name="weight")
    yield "conv2d-int8", lambda: prim_func(byte, byte_weight, nn.conv2d_nhwc(byte, byte_weight, 1, 1, 1, "int32"))
    hwcn = ph(14, 14, 8, 1, name="data")
    yield "conv2d-hwcn", lambda: prim_func(hwcn, hwio, nn.conv2d_hwcn(hwcn, hwio, 1, 1, 1))
    packed, packed_weight = ph(1, 2, 14, 14, 4, name="data"), ph(4, 2, 3, 3, 4, 4, name="weight")
    yield "conv2d-NCHWc", lambda: prim_func(
        packed, packed_weight, nn.conv2d_NCHWc(packed, packed_weight, 1, 1, 1, "NCHW4c", "NCHW4c"))  # fmt: skip
    byte_packed, byte_kernel = ph(1, 2, 14, 14, 4, dtype="uint8"), ph(1, 2, 3, 3, 1, 16, 4, dtype="int8", name="w")
    yield "conv2d-NCHWc-int8", lambda: prim_func(
        byte_packed, byte_kernel, nn.conv2d_NCHWc_int8(byte_packed, byte_kernel, 1, 1, 1, "NCHW4c", "NCHW16c", "int32"))  # fmt: skip
    yield "group-conv2d", lambda: prim_func(
        data, w := ph(16, 2, 3, 3, name="w"), nn.group_conv2d_nchw(data, w, 1, 1, 1, 4, "float32"))  # fmt: skip
    yield "group-conv2d-nhwc", lambda: prim_func(
        nhwc, w := ph(3, 3, 2, 16, name="w"), nn.group_conv2d_nhwc(nhwc, w, 1, 1, 1, 4, "float32"))  # fmt: skip
    depth = ph(8, 1, 3, 3, name="w")
    yield "depthwise-nchw", lambda: prim_func(data, depth, nn.depthwise_conv2d_nchw(data, depth, 1, 1, 1))
    depth_last = ph(3, 3, 8, 1, name="w")
    yield "depthwise-nhwc", lambda: prim_func(nhwc, depth_last, nn.depthwise_conv2d_nhwc(nhwc, depth_last, 1, 1, 1))
    yield "depthwise-NCHWc", lambda: prim_func(
        packed, w := ph(2, 1, 3, 3, 1, 4, name="w"), nn.depthwise_conv2d_NCHWc(packed, w, 1, 1, 1, "NCHW4c", "NCHW4c"))  # fmt: skip
    transposed = ph(8, 16, 3, 3, name="w")
    yield "conv2d-transpose", lambda: prim_func(
        data, transposed, nn.conv2d_transpose_nchw(data, transposed, (2, 2), (1, 1), "float32", (0, 0)))  # fmt: skip
    yield "group-conv2d-transpose", lambda: prim_func(
        data, w := ph(8, 4, 3, 3, name="w"),
        nn.group_conv2d_transpose_nchw(data, w, (2, 2), (1, 1), "float32", (0, 0), 2))  # fmt: skip
    line, line_weight = ph(1, 8, 30, name="data"), ph(4, 8, 3, name="w")
    yield "conv1d-ncw", lambda: prim_func(line, line_weight, nn.conv1d_ncw(line, line_weight, 1, 1, 1))
    yield "conv1d-nwc", lambda: prim_func(
        x := ph(1, 30, 8), w := ph(3, 8, 4, name="w"), nn.conv1d_nwc(x, w, 1, "SAME", 1))  # fmt: skip
    yield "conv1d-transpose", lambda: prim_func(
        line, w := ph(8, 4, 3, name="w"), nn.conv1d_transpose_ncw(line, w, (2,), (1,), "float32", (1,)))  # fmt: skip
    yield "group-conv1d", lambda: prim_func(
        line, w := ph(4, 2, 3, name="w"), nn.group_conv1d_ncw(line, w, 1, 1, 1, 4, "float32"))  # fmt: skip
    volume, volume_weight = ph(1, 4, 8, 8, 8, name="data"), ph(6, 4, 3, 3, 3, name="w")
    yield "conv3d-ncdhw", lambda: prim_func(volume, volume_weight, nn.conv3d_ncdhw(volume, volume_weight, 1, 1, 1, 1))
    yield "conv3d-ndhwc", lambda: prim_func(
        x := ph(1, 8, 8, 8, 4), w := ph(3, 3, 3, 4, 6, name="w"), nn.conv3d_ndhwc(x, w, 1, 1, 1, 1))  # fmt: skip
    yield "conv3d-transpose", lambda: prim_func(
        volume, w := ph(4, 6, 3, 3, 3, name="w"),
        nn.conv3d_transpose_ncdhw(volume, w, (2, 2, 2), (1, 1, 1), "float32", (0, 0, 0)))  # fmt: skip
    yield "winograd-nchw", lambda: prim_func(data, weight, nn.conv2d_winograd_nchw(data, weight, 1, 1, 1, "float32"))
    yield "winograd-nhwc", lambda: prim_func(nhwc, hwio, nn.conv2d_winograd_nhwc(nhwc, hwio, 1, 1, 1, "float32"))
    yield "deformable", lambda: prim_func(
        data, o := ph(1, 18, 14, 14, name="offset"), weight, nn.deformable_conv2d_nchw(data, o, weight, 1, 1, 1, 1, 1, "float32"))  # fmt: skip
    for kind in ("max", "avg"):
        yield f"pool2d-{kind}", lambda k=kind: prim_func(
            data, nn.pool2d(data, (3, 3), (2, 2), (1, 1), (1, 1, 1, 1), k))  # fmt: skip
        yield f"pool2d-{kind}-ceil", lambda k=kind: prim_func(
            data, nn.pool2d(data, (3, 3), (2, 2), (1, 1), (0, 0, 0, 0), k, True, "NCHW", False))  # fmt: skip
        yield f"pool1d-{kind}", lambda k=kind: prim_func(line, nn.pool1d(line, (2,), (2,), (1,), (0, 0), k))
        yield f"pool3d-{kind}", lambda k=kind: prim_func(
            volume, nn.pool3d(volume, (2, 2, 2), (2, 2, 2), (1, 1, 1), (0,) * 6, k))  # fmt: skip
        yield f"global-pool-{kind}", lambda k=kind: prim_func(data, nn.global_pool(data, k))
        yield f"adaptive-pool-{kind}", lambda k=kind: prim_func(data, nn.adaptive_pool(data, (5, 5), k))
        yield f"pool-grad-{kind}", lambda k=kind: prim_func(
            data, g := ph(1, 8, 7, 7, name="g"), nn.pool_grad(g, data, (2, 2), (2, 2), (0,) * 4, k))  # fmt: skip
    x, w = ph(16, 64), ph(32, 64, name="w")
    yield "dense", lambda: prim_func(x, w, nn.dense(x, w))
    yield "dense-bias", lambda: prim_func(x, w, b := ph(32, name="b"), nn.dense(x, w, b))
    yield "dense-pack", lambda: prim_func(x, p := ph(4, 64, 8, name="p"), nn.dense_pack(x, p))
    n = te.var("n")
    yield "dense-dynamic", lambda: prim_func(d := ph(n, 64), w, nn.dense(d, w))
    yield "batch-matmul", lambda: prim_func(
        x := ph(4, 16, 8), y := ph(4, 32, 8, name="B"), nn.batch_matmul(x, y))  # fmt: skip
    yield "matmul", lambda: prim_func(x := ph(16, 8), y := ph(8, 32, name="B"), topi.matmul(x, y))
    yield (
        "matmul-transposed",
        lambda: prim_func(x := ph(8, 16), y := ph(32, 8, name="B"), topi.matmul(x, y, True, True)),
    )
    yield "tensordot", lambda: prim_func(x := ph(3, 4, 5), y := ph(4, 5, 6, name="B"), topi.tensordot(x, y, 2))
    yield "einsum", lambda: prim_func(x := ph(3, 4), y := ph(4, 5, name="B"), topi.einsum("ij,jk->ik", x, y))
    yield "einsum-batch", lambda: prim_func(
        x := ph(2, 3, 4), y := ph(2, 4, 5, name="B"), topi.einsum("bij,bjk->bki", x, y))  # fmt: skip
    g, b = ph(64, name="gamma"), ph(64, name="beta")
    yield "layer-norm", lambda: prim_func(x, g, b, nn.layer_norm(x, g, b, [1], 1e-5))
    yield "layer-norm-half", lambda: prim_func(
        h := ph(16, 64, dtype="float16"), s := ph(64, dtype="float16", name="s"), t := ph(64, dtype="float16", name="t"),
        nn.layer_norm(h, s, t, [1], 1e-5))  # fmt: skip
    yield "rms-norm", lambda: prim_func(x, g, nn.rms_norm(x, g, [1], 1e-6))
    c, d = ph(8, name="gamma"), ph(8, name="beta")
    yield "group-norm", lambda: prim_func(data, c, d, nn.group_norm(data, c, d, 4, 1, [2, 3], 1e-5))
    yield "instance-norm", lambda: prim_func(data, c, d, nn.instance_norm(data, c, d, [2, 3], 1e-5))
    yield "batch-norm", lambda: prim_func(
        data, c, d, m := ph(8, name="mean"), v := ph(8, name="var"), nn.batch_norm(data, c, d, m, v))  # fmt: skip
    yield "lrn", lambda: prim_func(data, nn.lrn(data, 5, 1, 0.0001, 0.75, 2.0))
    yield "upsampling", lambda: prim_func(data, nn.upsampling(data, 2, 2))
    yield "upsampling-bilinear", lambda: prim_func(data, nn.upsampling(data, 2, 2, "NCHW", "bilinear"))
    yield "upsampling3d", lambda: prim_func(volume, nn.upsampling3d(volume, 2, 2, 2, "NCDHW", "trilinear"))
    yield "dilate", lambda: prim_func(data, nn.dilate(data, [1, 1, 2, 2]))
    yield "flatten", lambda: prim_func(data, nn.flatten(data))
    yield "pad", lambda: prim_func(data, nn.pad(data, [0, 0, 1, 1], [0, 0, 2, 2], 1.0))
    yield "mirror-pad", lambda: prim_func(data, nn.mirror_pad(data, [0, 0, 1, 1], [0, 0, 1, 1]))
    yield "depth-to-space", lambda: prim_func(data, nn.depth_to_space(data, 2))
    yield "space-to-depth", lambda: prim_func(data, nn.space_to_depth(data, 2))
    yield "batch-to-space", lambda: prim_func(
        q := ph(4, 2, 2, 1), nn.batch_to_space_nd(q, [2, 2], [0, 0], [0, 0]))  # fmt: skip
    yield "space-to-batch", lambda: prim_func(
        q := ph(1, 4, 4, 1), nn.space_to_batch_nd(q, [2, 2], [0, 0], [0, 0]))  # fmt: skip
    yield "correlation", lambda: prim_func(
        data, e := ph(1, 8, 14, 14, name="B"), nn.correlation_nchw(data, e, 3, 2, 1, 1, 2, True))  # fmt: skip
    yield "nll-loss", lambda: prim_func(
        p := ph(4, 10), t := ph(4, dtype="int32", name="t"), e := ph(10, name="w"), nn.nll_loss(p, t, e, "mean", -100))  # fmt: skip
    bits = ph(1, 14, 14, 32, name="data")
    yield "bitserial-conv2d", lambda: prim_func(
        i := ph(1, 14, 14, 32, dtype="uint32"), k := ph(3, 3, 32, 16, dtype="uint32", name="w"),
        nn.bitserial_conv2d_nhwc(i, k, 1, 1, 2, 1, out_dtype="int16"))  # fmt: skip
    yield "bitserial-dense", lambda: prim_func(
        i := ph(4, 64, dtype="uint32"), k := ph(8, 64, dtype="uint32", name="w"), nn.bitserial_dense(i, k, 2, 1, "uint32"))  # fmt: skip
    yield "binarize", lambda: prim_func(bits, nn.binarize_pack(bits))
    yield "sparse-dense", lambda: prim_func(
        x, v := ph(20, name="values"), i := ph(20, dtype="int32", name="indices"), p := ph(9, dtype="int32", name="indptr"),
        nn.sparse_dense(x, v, i, p))  # fmt: skip
    yield "sparse-dense-bsr", lambda: prim_func(
        x, v := ph(20, 4, 4, name="values"), i := ph(20, dtype="int32", name="indices"), p := ph(9, dtype="int32", name="indptr"),
        nn.sparse_dense(x, v, i, p))  # fmt: skip
    yield "sparse-transpose", lambda: prim_func(
        v := ph(20, name="values"), i := ph(20, dtype="int32", name="indices"), p := ph(9, dtype="int32", name="indptr"),
        nn.sparse_transpose(v, i, p))  # fmt: skip
    yield "fifo-buffer", lambda: prim_func(d := ph(1, 4), f := ph(8, 4, name="f"), nn.fifo_buffer(d, f, 0))
    yield "lstm", lambda: prim_func(
        s := ph(4, 1, 8, name="Xs"), nn.lstm(s, ph(32, 8, name="Wi"), ph(32, 8, name="Wh")))  # fmt: skip


def shapes() -> Iterator[Case]:
    a, n = ph(4, 8, 16), te.var("n")
    d = ph(n, 8)
    yield "transpose", lambda: prim_func(a, topi.transpose(a, (2, 0, 1)))
    yield "transpose-dynamic", lambda: prim_func(d, topi.transpose(d))
    yield "reshape", lambda: prim_func(a, topi.reshape(a, (8, 64)))
    yield "reshape-dynamic", lambda: prim_func(d, topi.reshape(d, (n * 8,)))
    yield "flip", lambda: prim_func(a, topi.flip(a, 1))
    yield "expand-dims", lambda: prim_func(a, topi.expand_dims(a, 1, 2))
    yield "squeeze", lambda: prim_func(q := ph(1, 4, 1), topi.squeeze(q))
    yield "squeeze-all", lambda: prim_func(q := ph(1, 1), topi.squeeze(q))
    yield "concatenate", lambda: prim_func(a, b := ph(4, 3, 16, name="B"), topi.concatenate([a, b], 1))
    yield "concatenate-three", lambda: prim_func(d, e := ph(3, 8, name="B"), topi.concatenate([d, e, d], 0))
    yield "stack", lambda: prim_func(a, b := ph(4, 8, 16, name="B"), topi.stack([a, b], 1))
    yield "split", lambda: prim_func(a, topi.split(a, [2, 5], 1))
    yield "take", lambda: prim_func(a, i := ph(3, dtype="int32", name="i"), topi.take(a, i))
    yield "take-axis", lambda: prim_func(a, i := ph(3, 2, dtype="int64", name="i"), topi.take(a, i, 1))
    yield "take-wrap", lambda: prim_func(a, i := ph(3, dtype="int32", name="i"), topi.take(a, i, 1, mode="wrap"))
    yield "take-fast", lambda: prim_func(a, i := ph(3, dtype="int32", name="i"), topi.take(a, i, 1, mode="fast"))
    yield "gather", lambda: prim_func(a, i := ph(4, 2, 16, dtype="int32", name="i"), topi.gather(a, 1, i))
    yield "gather-nd", lambda: prim_func(a, i := ph(2, 5, dtype="int32", name="i"), topi.gather_nd(a, i))
    yield "tile", lambda: prim_func(a, topi.tile(a, (2, 1, 3)))
    yield "repeat", lambda: prim_func(a, topi.repeat(a, 3, 1))
    yield "broadcast-to", lambda: prim_func(q := ph(8, 1), topi.broadcast_to(q, (4, 8, 16)))
    yield "strided-slice", lambda: prim_func(a, topi.strided_slice(a, [0, 7, 2], [4, 0, 14], [1, -2, 3]))
    yield "strided-slice-size", lambda: prim_func(
        a, topi.strided_slice(a, [0, 1, 2], [2, 3, 4], slice_mode="size"))  # fmt: skip
    yield "dynamic-strided-slice", lambda: prim_func(
        a, b := ph(3, dtype="int64", name="b"), e := ph(3, dtype="int64", name="e"), s := ph(3, dtype="int64", name="s"),
        topi.dynamic_strided_slice(a, b, e, s, [te.var("x", "int64"), 3, 4]))  # fmt: skip
    yield "strided-set", lambda: prim_func(
        a, v := ph(2, 8, 16, name="v"), b := ph(3, dtype="int64", name="b"), e := ph(3, dtype="int64", name="e"), s := ph(3, dtype="int64", name="s"),
        topi.strided_set(a, v, b, e, s))  # fmt: skip
    yield "one-hot", lambda: prim_func(
        i := ph(5, dtype="int32"), topi.one_hot(i, tir.const(1.0, "float32"), tir.const(0.0, "float32"), 10, -1, "float32"))  # fmt: skip
    yield "sequence-mask", lambda: prim_func(
        a, v := ph(8, dtype="int32", name="len"), topi.sequence_mask(a, v, -1.0, 0))  # fmt: skip
    yield "reverse-sequence", lambda: prim_func(
        a, v := ph(8, dtype="int32", name="len"), topi.reverse_sequence(a, v, 0, 1))  # fmt: skip
    yield "meshgrid", lambda: prim_func(x := ph(3), y := ph(4, name="B"), topi.meshgrid([x, y], "ij"))
    yield "matrix-set-diag", lambda: prim_func(
        q := ph(4, 4), v := ph(4, name="d"), topi.matrix_set_diag(q, v))  # fmt: skip
    yield "trilu", lambda: prim_func(q := ph(4, 4), topi.trilu(q, tir.const(0, "int32"), True))
    yield "adv-index", lambda: prim_func(
        a, i := ph(3, dtype="int32", name="i"), j := ph(3, dtype="int32", name="j"), topi.adv_index(a, [i, j]))  # fmt: skip
    yield "layout-transform", lambda: prim_func(q := ph(1, 16, 4, 4), topi.layout_transform(q, "NCHW", "NCHW4c"))
    yield "shape", lambda: prim_func(d, topi.shape(d))
    yield "ndarray-size", lambda: prim_func(d, topi.ndarray_size(d))
    yield "unravel-index", lambda: prim_func(
        i := ph(5, dtype="int32"), s := ph(2, dtype="int32", name="s"), topi.unravel_index(i, s))  # fmt: skip
    yield "sliding-window", lambda: prim_func(a, topi.sliding_window(a, 1, [3, 4], [1, 2]))
    yield "invert-permutation", lambda: prim_func(i := ph(5, dtype="int32"), topi.invert_permutation(i))
    yield "sparse-to-dense", lambda: prim_func(
        i := ph(5, dtype="int32"), v := ph(5, name="v"), topi.sparse_to_dense(i, [10], v, tir.const(0.0, "float32")))  # fmt: skip


def indexed() -> Iterator[Case]:
    """Operators that are written with the IR builder: sorting, scanning, scattering, detection."""
    a = ph(4, 16)
    for mode in ("update", "add", "mul", "min", "max", "mean"):
        yield f"scatter-elements-{mode}", lambda m=mode: prim_func(
            a, i := ph(2, 16, dtype="int64", name="i"), u := ph(2, 16, name="u"),
            topi.scatter_elements(a, i, u, 0, m))  # fmt: skip
        yield f"scatter-nd-{mode}", lambda m=mode: prim_func(
            a, i := ph(1, 3, dtype="int64", name="i"), u := ph(3, 16, name="u"), topi.scatter_nd(a, i, u, m))  # fmt: skip
    for exclusive in (False, True):
        yield f"cumsum-{exclusive}", lambda e=exclusive: prim_func(a, topi.cumsum(a, 1, exclusive=e))
        yield f"cumprod-{exclusive}", lambda e=exclusive: prim_func(a, topi.cumprod(a, 0, "float64", e))
    yield "sort", lambda: prim_func(a, topi.sort(a, 1))
    yield "argsort", lambda: prim_func(a, topi.argsort(a, axis=1, dtype="int32"))
    for kind in ("both", "values", "indices"):
        yield f"topk-{kind}", lambda k=kind: prim_func(a, topi.topk(a, 3, 1, k))
    yield "searchsorted", lambda: prim_func(a, v := ph(4, 3, name="v"), topi.searchsorted(a, v))
    yield "unique", lambda: prim_func(i := ph(16, dtype="int32"), topi.unique(i))
    yield "unique-counts", lambda: prim_func(i := ph(16, dtype="int32"), topi.unique(i, return_counts=True))
    yield "argwhere", lambda: prim_func(
        a, topi.argwhere(te.placeholder((te.var("n"), 2), dtype="int32"), a))  # fmt: skip
    yield "sparse-reshape", lambda: prim_func(
        i := ph(5, 2, dtype="int64"), s := ph(2, dtype="int64", name="s"), t := ph(3, dtype="int64", name="t"),
        topi.sparse_reshape(i, s, t, (5, 3), (3,)))  # fmt: skip
    re, im = ph(2, 16, name="re"), ph(2, 16, name="im")
    yield "dft", lambda: prim_func(re, im, topi.dft(re, im, False))
    yield "dft-inverse", lambda: prim_func(re, im, topi.dft(re, im, True))
    yield "stft", lambda: prim_func(
        s := ph(2, 64, name="s"), w := ph(16, name="w"), topi.stft(s, 16, 8, 16, w, False, True, [2, 9, 7, 2]))  # fmt: skip
    yield "threefry", lambda: prim_func(
        g := ph(10, dtype="uint64", name="gen"), topi.random.threefry_generate(g, (16,)))  # fmt: skip
    yield "threefry-split", lambda: prim_func(g := ph(10, dtype="uint64", name="gen"), topi.random.threefry_split(g))
    yield "uniform", lambda: prim_func(
        g := ph(10, dtype="uint64", name="gen"), lo := ph(name="low"), hi := ph(name="high"),
        topi.random.uniform(g, lo, hi, (16,), "float32"))  # fmt: skip
    boxes = ph(1, 20, 6, name="boxes")
    yield "valid-counts", lambda: prim_func(boxes, topi.vision.get_valid_counts(boxes, 0.5, 0, 1))
    yield "nms", lambda: prim_func(
        boxes, c := ph(1, dtype="int32", name="count"), i := ph(1, 20, dtype="int32", name="i"),
        m := ph(1, dtype="int32", name="m"), topi.vision.non_max_suppression(boxes, c, i, m))  # fmt: skip
    yield "all-class-nms", lambda: prim_func(
        b := ph(1, 20, 4, name="b"), s := ph(1, 3, 20, name="s"), topi.vision.all_class_non_max_suppression(b, s, 5, 0.5, 0.1))  # fmt: skip
    yield "roi-align", lambda: prim_func(
        d := ph(1, 4, 16, 16), r := ph(3, 5, name="rois"), topi.vision.rcnn.roi_align_nchw(d, r, (7, 7), 1.0, b"avg"))  # fmt: skip
    yield "roi-pool", lambda: prim_func(
        d := ph(1, 4, 16, 16), r := ph(3, 5, name="rois"), topi.vision.rcnn.roi_pool_nchw(d, r, (7, 7), 1.0))  # fmt: skip
    yield "multibox-prior", lambda: prim_func(d := ph(1, 4, 16, 16), topi.vision.ssd.multibox_prior(d, (0.5,), (1, 2)))
    yield "reorg", lambda: prim_func(d := ph(1, 4, 16, 16), topi.vision.reorg(d, 2))


def images() -> Iterator[Case]:
    d = ph(1, 4, 16, 16, name="data")
    roi = [0.0, 0.0, 1.0, 1.0]
    for method in ("nearest_neighbor", "linear", "cubic"):
        for mode in ("half_pixel", "asymmetric", "align_corners"):
            rounding = "" if method != "nearest_neighbor" else "round" if mode == "half_pixel" else "floor"
            yield f"resize2d-{method}-{mode}", lambda m=method, t=mode, r=rounding: prim_func(
                d, topi.image.resize2d(d, roi, (24, 24), "NCHW", m, t, r))  # fmt: skip
    yield "resize2d-nhwc", lambda: prim_func(
        q := ph(1, 16, 16, 4), topi.image.resize2d(q, roi, (8, 8), "NHWC", "linear", "half_pixel", ""))  # fmt: skip
    yield "resize1d", lambda: prim_func(q := ph(1, 4, 16), topi.image.resize1d(q, [0.0, 1.0], (24,), "NCW", "linear"))
    yield "resize3d", lambda: prim_func(
        q := ph(1, 4, 8, 8, 8), topi.image.resize3d(q, [0.0] * 6, (4, 4, 4), "NCDHW", "linear"))  # fmt: skip
    yield "crop-and-resize", lambda: prim_func(
        d, b := ph(3, 4, name="boxes"), i := ph(3, dtype="int32", name="i"),
        topi.image.crop_and_resize(d, b, i, (8, 8), "NCHW"))  # fmt: skip
    yield "grid-sample", lambda: prim_func(
        d, g := ph(1, 2, 8, 8, name="grid"), topi.image.grid_sample(d, g, "bilinear", "NCHW", "zeros"))  # fmt: skip
    yield "affine-grid", lambda: prim_func(m := ph(1, 2, 3), topi.image.affine_grid(m, (8, 8)))
    yield "dilation2d", lambda: prim_func(
        d, k := ph(4, 3, 3, name="k"), topi.image.dilation2d_nchw(d, k, 1, 1, (1, 1)))  # fmt: skip


def scheduled_language() -> Iterator[Case]:
    """te.compute in the ways of the TE test suite: extern, scan-free recurrences, several outputs, attributes."""
    n, m = te.var("n"), te.var("m")

    def extern() -> Any:
        a, b = ph(128, 128), ph(128, 128, name="B")
        c = te.extern(
            (128, 128), [a, b],
            lambda ins, outs: tir.call_packed("tvm.contrib.cblas.matmul", ins[0], ins[1], outs[0], 0, 0), name="C",
        )  # fmt: skip
        return prim_func(a, b, c)

    def builder() -> Any:
        a = ph(n)

        def body(ins: Any, outs: Any) -> Any:
            ib = tvm.tir.ir_builder.create()
            source, target = ib.buffer_ptr(ins[0]), ib.buffer_ptr(outs[0])
            with ib.for_range(0, n, kind="parallel") as i:
                with ib.if_scope(i < 10):
                    target[i] = source[i] + 1.0
                with ib.else_scope():
                    target[i] = source[i] * 2.0
            return ib.get()

        return prim_func(a, te.extern((n,), [a], body, name="B"))

    def outputs() -> Any:
        a = ph(n, m)
        x, y = te.compute((n, m), lambda i, j: (a[i, j] + 1.0, a[i, j] * 3.0), name="T")
        return prim_func(a, x, y)

    def attributes() -> Any:
        a = ph(16)
        return prim_func(
            a, te.compute((16,), lambda i: a[i] + 1.0, name="B", attrs={"layout_free_placeholders": [], "x": 3})
        )

    def shifted() -> Any:
        a = ph(n)
        return prim_func(a, te.compute((n - 2,), lambda i: a[i] + a[i + 1] + a[i + 2], name="B"))

    def ranges() -> Any:
        k = te.reduce_axis((2, 14), "k")
        a = ph(16, 16)
        return prim_func(a, te.compute((16,), lambda i: te.sum(a[i, k], axis=k), name="B"))

    def scalar() -> Any:
        a = te.placeholder((), name="A")
        return prim_func(a, te.compute((), lambda: a() + 1.0, name="B"))

    def sixty_four() -> Any:
        size = te.var("n", "int64")
        a = te.placeholder((size, tir.IntImm("int64", 16)), name="A")
        k = te.reduce_axis((0, tir.IntImm("int64", 16)), "k")
        return prim_func(a, te.compute((size,), lambda i: te.sum(a[i, k], axis=k), name="B"))

    def size_vars() -> Any:
        size = te.size_var("n")
        a = te.placeholder((size, size * 2), name="A")
        return prim_func(a, te.compute((size, size), lambda i, j: a[i, j * 2], name="B"))

    def conditions() -> Any:
        a = ph(16, 16)
        return prim_func(a, te.compute((16, 16), lambda i, j: tir.if_then_else(
            tir.all(i > 1, tir.any(j < 3, tir.Not(i == j))), a[i, j], tir.Select(i < j, 1.0, -a[j, i])), name="B"))  # fmt: skip

    def libdevice() -> Any:
        a = ph(16)
        return prim_func(a, te.compute((16,), lambda i: tir.call_pure_extern("float32", "__expf", a[i]), name="B"))

    def odd_names() -> Any:
        a = te.placeholder((16,), name="in.put")
        return prim_func(a, te.compute((16,), lambda i: a[i] + 1.0, name="T_add/1 x"))

    def scalars() -> Any:
        a, s = ph(16), te.var("s", "float32")
        b = te.compute((16,), lambda i: a[i] * s, name="B")
        return te.create_prim_func([a, s, b]) if hasattr(te, "create_prim_func") else None

    for make in (extern, builder, outputs, attributes, shifted, ranges, scalar, sixty_four, size_vars, conditions,
                 libdevice, odd_names, scalars):  # fmt: skip
        yield make.__name__, make


FAMILIES = {
    "elementwise": elementwise,
    "reductions": reductions,
    "neural": neural,
    "shapes": shapes,
    "indexed": indexed,
    "images": images,
    "language": scheduled_language,
}


def run(store: Store) -> None:
    """All operators for the CPU, and those that have another form on CUDA."""
    for family, cases in FAMILIES.items():
        for name, make in cases():
            store.attempt(f"te-{family}", name, make)
