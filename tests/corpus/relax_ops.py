"""The tensor functions that Relax operators become (LegalizeOps), and whole models on their way to code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import tvm
from store import Recorder, Store
from tvm import relax, tir
from tvm.relax.op import image, nn

UNARY = [
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
    "floor",
    "isfinite",
    "isinf",
    "isnan",
    "log",
    "negative",
    "round",
    "rsqrt",
    "sigmoid",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "clip",
]
BINARY = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "floor_divide",
    "power",
    "maximum",
    "minimum",
    "equal",
    "less",
    "greater_equal",
    "not_equal",
]
REDUCE = ["sum", "mean", "max", "min", "prod", "variance", "std"]


def tensor(name: str, shape: tuple[Any, ...], dtype: str = "float32") -> Any:
    """A Relax variable."""
    return relax.Var(name, relax.TensorStructInfo(shape, dtype))


def legalized(args: list[Any], value: Any) -> Any:
    """The functions of the module that computes a value."""
    builder = relax.BlockBuilder()
    with builder.function("main", args):
        with builder.dataflow():
            out = builder.emit_output(builder.emit(value))
        builder.emit_func_output(out)
    return tensor_part(relax.transform.LegalizeOps()(builder.get()))


def tensor_part(module: Any) -> Any:
    """The PrimFuncs of a module."""
    return tvm.IRModule({var: func for var, func in module.functions.items() if isinstance(func, tir.PrimFunc)})


def cases() -> Iterator[tuple[str, Any]]:
    n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
    x, y, d = tensor("x", (2, 3, 4)), tensor("y", (3, 1)), tensor("d", (n, m))
    for name in UNARY:
        more = (0, 6) if name == "clip" else ()
        yield name, lambda f=name, a=more: legalized([x], getattr(relax.op, f)(x, *a))
        yield f"{name}-dynamic", lambda f=name, a=more: legalized([d], getattr(relax.op, f)(d, *a))
    for name in BINARY:
        yield name, lambda f=name: legalized([x, y], getattr(relax.op, f)(x, y))
        yield f"{name}-scalar", lambda f=name: legalized([d], getattr(relax.op, f)(d, relax.const(2, "float32")))
    for name in REDUCE:
        yield name, lambda f=name: legalized([x], getattr(relax.op, f)(x, [1, 2], True))
        yield f"{name}-dynamic", lambda f=name: legalized([d], getattr(relax.op, f)(d, 1))
    for name in ("relu", "gelu", "silu", "softmax", "log_softmax", "leakyrelu", "gelu_tanh"):
        yield name, lambda f=name: legalized([x], getattr(nn, f)(x))
        yield f"{name}-dynamic", lambda f=name: legalized([d], getattr(nn, f)(d))
    op = relax.op
    image4, weight = tensor("data", (1, 8, 14, 14)), tensor("weight", (16, 8, 3, 3))
    half = tensor("h", (1, 14, 14, 8), "float16")
    yield "conv2d", lambda: legalized([image4, weight], nn.conv2d(image4, weight, padding=1))
    yield "conv2d-half", lambda: legalized([half, w := tensor("w", (3, 3, 8, 16), "float16")], nn.conv2d(
        half, w, data_layout="NHWC", kernel_layout="HWIO", out_dtype="float32"))  # fmt: skip
    yield "conv2d-groups", lambda: legalized([image4, w := tensor("w", (16, 2, 3, 3))], nn.conv2d(image4, w, groups=4))
    yield (
        "conv2d-transpose",
        lambda: legalized([image4, w := tensor("w", (8, 4, 3, 3))], nn.conv2d_transpose(image4, w)),
    )
    yield "conv1d", lambda: legalized([a := tensor("a", (1, 8, 30)), w := tensor("w", (4, 8, 3))], nn.conv1d(a, w))
    yield "max-pool", lambda: legalized([image4], nn.max_pool2d(image4, (2, 2)))
    yield "avg-pool", lambda: legalized([image4], nn.avg_pool2d(image4, (2, 2)))
    yield "adaptive-pool", lambda: legalized([image4], nn.adaptive_avg_pool2d(image4, (5, 5)))
    g, b = tensor("g", (4,)), tensor("b", (4,))
    yield "layer-norm", lambda: legalized([x, g, b], nn.layer_norm(x, g, b, [-1]))
    yield "rms-norm", lambda: legalized([x, g], nn.rms_norm(x, g, [-1]))
    c, e = tensor("c", (8,)), tensor("e", (8,))
    yield "group-norm", lambda: legalized([image4, c, e], nn.group_norm(image4, c, e, 4, 1, [2, 3]))
    yield "batch-norm", lambda: legalized([image4, c, e, p := tensor("p", (8,)), q := tensor("q", (8,))], nn.batch_norm(
        image4, c, e, p, q, 1))  # fmt: skip
    yield "dropout", lambda: legalized([x], nn.dropout(x))
    yield "attention", lambda: legalized([q := tensor("q", (1, 16, 4, 8)), k := tensor("k", (1, 16, 4, 8)), v := tensor("v", (1, 16, 4, 8))],
                                         nn.attention(q, k, v))  # fmt: skip
    yield (
        "cross-entropy",
        lambda: legalized([p := tensor("p", (3,)), q := tensor("q", (3,))], nn.cross_entropy_with_logits(p, q)),
    )
    yield "matmul", lambda: legalized([p := tensor("p", (2, 3, 4)), q := tensor("q", (4, 5))], op.matmul(p, q))
    yield "matmul-dynamic", lambda: legalized([d, q := tensor("q", (m, 8))], op.matmul(d, q))
    yield "matmul-half", lambda: legalized([p := tensor("p", (n, 16), "float16"), q := tensor("q", (16, 8), "float16")],
                                           op.matmul(p, q, out_dtype="float32"))  # fmt: skip
    yield (
        "einsum",
        lambda: legalized([p := tensor("p", (3, 4)), q := tensor("q", (4, 5))], op.einsum([p, q], "ij,jk->ik")),
    )
    yield "astype", lambda: legalized([x], op.astype(x, "float16"))
    yield "take", lambda: legalized([x, i := tensor("i", (n,), "int32")], op.take(x, i, 1))
    yield "strided-slice", lambda: legalized([x], op.strided_slice(x, [0, 1], [0, 1], [1, 3], [1, 2]))
    yield "dynamic-strided-slice", lambda: legalized([x, b2 := tensor("b", (3,), "int64"), e2 := tensor("e", (3,), "int64"), s2 := tensor("s", (3,), "int64")],
                                                     op.dynamic_strided_slice(x, b2, e2, s2))  # fmt: skip
    yield "broadcast-to", lambda: legalized([y], op.broadcast_to(y, (2, 3, 4)))
    yield "concat", lambda: legalized([x, z := tensor("z", (2, 5, 4))], op.concat([x, z], 1))
    yield "split", lambda: legalized([x], op.split(x, [1, 2], 2))
    yield "expand-dims", lambda: legalized([x], op.expand_dims(x, [1, 3]))
    yield "flatten", lambda: legalized([d], op.flatten(d))
    yield "permute-dims", lambda: legalized([d], op.permute_dims(d))
    yield "reshape", lambda: legalized([d], op.reshape(d, (m, n)))
    yield "squeeze", lambda: legalized([s := tensor("s", (1, 3, 1))], op.squeeze(s))
    yield "repeat", lambda: legalized([x], op.repeat(x, 2, 1))
    yield "tile", lambda: legalized([x], op.tile(x, (2, 1, 2)))
    yield "flip", lambda: legalized([x], op.flip(x, 1))
    yield "cumsum", lambda: legalized([x], op.cumsum(x, 1))
    yield "scatter-elements", lambda: legalized([x, i := tensor("i", (1, 3, 4), "int64"), u := tensor("u", (1, 3, 4))],
                                                op.scatter_elements(x, i, u, 0))  # fmt: skip
    yield "collapse-sum", lambda: legalized([x], op.collapse_sum_to(x, (3, 1)))
    yield "layout-transform", lambda: legalized([x], op.layout_transform(x, lambda i, j, k: (i, k, j)))
    yield (
        "layout-transform-pad",
        lambda: legalized([z := tensor("z", (10,))], op.layout_transform(z, lambda i: (i // 4, i % 4), pad_value=2.0)),
    )
    yield "full", lambda: legalized([], op.full((n, 3), relax.const(2.0, "float32"), "float16"))
    yield "zeros", lambda: legalized([], op.zeros((2, 3), "int64"))
    yield "ones-like", lambda: legalized([d], op.ones_like(d))
    yield "arange", lambda: legalized([], op.arange(1, 10, 2, "int64"))
    yield "tril", lambda: legalized([d], op.tril(d, 1))
    yield "triu", lambda: legalized([x], op.triu(x, -1))
    yield "argmax", lambda: legalized([x], op.argmax(x, 1))
    yield "argmin-all", lambda: legalized([d], op.argmin(d))
    yield "where", lambda: legalized([k := tensor("k", (3, 1), "bool"), x, y], op.where(k, x, y))
    yield "sort", lambda: legalized([x], op.sort(x, 1))
    yield "argsort", lambda: legalized([x], op.argsort(x, 1, True))
    yield "topk", lambda: legalized([x], op.topk(x, 2, 1))
    yield "resize2d", lambda: legalized([image4], image.resize2d(image4, (28, 28), layout="NCHW", method="linear"))
    yield (
        "bitwise",
        lambda: legalized([i := tensor("i", (n,), "int32"), j := tensor("j", (n,), "int32")], op.bitwise_and(i, j)),
    )
    yield "logical-not", lambda: legalized([k := tensor("k", (n,), "bool")], op.logical_not(k))
    yield "tensor-to-shape", lambda: legalized([i := tensor("i", (3,), "int64")], op.tensor_to_shape(i))
    yield (
        "quantize",
        lambda: legalized([x, s := tensor("s", (4,)), z := tensor("z", (4,), "int8")], op.quantize(x, s, z, 2, "int8")),
    )
    yield "dequantize", lambda: legalized([q := tensor("q", (2, 4), "int8"), s := tensor("s", (4,)), z := tensor("z", (4,), "int8")],
                                          op.dequantize(q, s, z, 1))  # fmt: skip
    yield "nll-loss", lambda: legalized([p := tensor("p", (4, 10)), t := tensor("t", (4,), "int64"), w := tensor("w", (10,))],
                                        nn.nll_loss(p, t, w))  # fmt: skip


def model() -> Any:
    """A small network with dynamic batch."""
    n = tir.Var("n", "int64")
    x, w, b = tensor("x", (n, 784)), tensor("w", (784, 128)), tensor("b", (128,))
    builder = relax.BlockBuilder()
    with builder.function("main", [x, w, b]):
        with builder.dataflow():
            h = builder.emit(relax.op.add(relax.op.matmul(x, w), b))
            h = builder.emit(nn.relu(h))
            out = builder.emit_output(nn.softmax(h))
        builder.emit_func_output(out)
    return builder.get()


def fused() -> dict[str, Any]:
    """The tensor functions of the model after every pass of the default pipelines."""
    recorder = Recorder()
    with tvm.target.Target("llvm"), tvm.transform.PassContext(opt_level=3, instruments=[recorder.instrument]):
        module = relax.get_pipeline("zero")(model())
        relax.build(module, "llvm")
    parts = {name: tensor_part(step) for name, step in recorder.steps.items()}
    return {name: part for name, part in parts.items() if len(part.functions)}


def run(store: Store) -> None:
    """All operators, then the model."""
    for name, make in cases():
        store.attempt("relax-ops", name, make)
    store.attempt("relax-model", "mlp", fused)
