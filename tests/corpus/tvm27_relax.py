"""Let apache-tvm 0.27 print hundreds of graph-level programs: operators, builders, models, every pass on them.

    /opt/tvm27/bin/python tests/corpus/tvm27_relax.py /tmp/corpus27r

Runs inside of that TVM's Python, imports nothing of ours. Each text goes to a file of its own; TVM's texts stay out of
the repository. Arrays are kept out of the programs: that TVM dies writing the section of its constants.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tvm  # pyright: ignore[reportMissingImports]
from tvm import relax, te, tirx, topi  # pyright: ignore[reportMissingImports]
from tvm.relax.frontend import nn  # pyright: ignore[reportMissingImports]
from tvm.script import ir as I  # pyright: ignore[reportMissingImports]
from tvm.script import relax as R  # pyright: ignore[reportMissingImports]
from tvm.script import tirx as T  # pyright: ignore[reportMissingImports]

sys.path.insert(0, str(Path(__file__).parent))
from tvm27_sources import SOURCES  # type: ignore[import-not-found]  # a folder of scripts

REFUSED = (TypeError, ValueError, RuntimeError, AttributeError, KeyError, IndexError, tvm.error.InternalError)
op = relax.op


class Writer:
    """Writes each text once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: set[str] = set()
        self.skipped: list[str] = []

    def __call__(self, name: str, program: Any) -> None:
        text = program.script()
        key = hashlib.sha1(text.encode()).hexdigest()
        if key in self.seen:
            return
        self.seen.add(key)
        if 'metadata["' in text:
            self.skipped.append(f"{name}: an array")
            return
        (self.folder / f"{name.replace('/', '_')}.py").write_text(text + "\n")


def tensor(name: str, shape: Any, dtype: str = "float32") -> Any:
    """A variable; an int as shape is a number of dimensions, -1 none."""
    if isinstance(shape, int):
        return relax.Var(name, relax.TensorType(dtype=dtype, ndim=shape))
    return relax.Var(name, relax.TensorType(shape, dtype))


n, m = tirx.Var("n", "int64"), tirx.Var("m", "int64")
SHAPES: dict[str, Any] = {"fixed": (4, 8), "sized": (n, 8), "two": (n, m), "rank": 2, "any": -1, "scalar": ()}


def unary(shape: Any) -> Iterator[tuple[str, Any, list[Any]]]:
    """Operators of one or two tensors of one shape: name, what makes the call, parameters."""
    x, y = tensor("x", shape), tensor("y", shape)
    for name in ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "erf", "exp", "floor", "log", "negative", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh", "trunc", "isfinite", "isinf", "isnan", "zeros_like", "ones_like", "nn.relu", "nn.relu6", "nn.gelu", "nn.gelu_tanh", "nn.selu", "nn.silu", "nn.softplus", "nn.leakyrelu", "nn.softmax", "nn.log_softmax", "nn.dropout", "sum", "mean", "max", "min", "prod", "std", "variance", "median", "argmax", "argmin", "cumsum", "cumprod", "flatten", "permute_dims", "squeeze", "shape_of", "size", "nonzero"]:  # fmt: skip
        yield name, _named(name), [x]
    for name in ["add", "subtract", "multiply", "divide", "floor_divide", "floor_mod", "mod", "power", "maximum", "minimum", "equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "atan2", "log_add_exp"]:  # fmt: skip
        yield name, _named(name), [x, y]
    i, j = tensor("i", shape, "int32"), tensor("j", shape, "int32")
    for name in ["bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]:
        yield name, _named(name), [i, j]
    yield "bitwise_not", op.bitwise_not, [i]
    b = tensor("b", shape, "bool")
    for name in ("logical_and", "logical_or", "logical_xor"):
        yield name, _named(name), [b, b.__class__("c", b.ty)]
    yield "logical_not", op.logical_not, [b]
    yield "where", op.where, [b, x, y]
    yield "ewise_fma", op.ewise_fma, [x, y, tensor("z", shape)]
    yield "astype", lambda a: op.astype(a, "float16"), [x]
    yield "clip", lambda a: op.clip(a, 0, 6), [x]
    yield "full_like", lambda a: op.full_like(a, relax.const(2.5)), [x]
    yield "no_grad", op.grad.no_grad, [x]
    yield "checkpoint", lambda a: op.grad.start_checkpoint(a), [x]
    yield "broadcast", op.ccl.broadcast_from_worker0, [x]
    yield "hint", lambda a: op.hint_on_device(a, tvm.cpu()), [x]
    yield "pure_packed", lambda a: op.call_pure_packed("f", a, tvm.ir.StringImm("s"), ty_args=a.ty), [x]
    yield "dps", lambda a: op.call_dps_packed("f", (a,), relax.TensorType((2, 3), "float32")), [x]


def _named(name: str) -> Any:
    found: Any = op
    for part in name.split("."):
        found = getattr(found, part)
    return found


def shaped() -> Iterator[tuple[str, Any, list[Any]]]:
    """Operators that take tensors of certain shapes, with attributes."""
    x, y = tensor("x", (2, 3, 4)), tensor("y", (2, 3, 4))
    at, at2 = tensor("i", (5,), "int64"), tensor("i", (5, 2), "int64")
    one = {
        "reshape": lambda a: op.reshape(a, (2, -1)), "expand": lambda a: op.expand_dims(a, [0, -1]),
        "permute": lambda a: op.permute_dims(a, [2, 0, 1]), "split": lambda a: op.split(a, 2, 2),
        "split_at": lambda a: op.split(a, [1, 3], 2), "tile": lambda a: op.tile(a, [2, 1]),
        "repeat": lambda a: op.repeat(a, 3, 1), "flip": lambda a: op.flip(a, 1),
        "broadcast_to": lambda a: op.broadcast_to(a, (5, 2, 3, 4)), "tril": lambda a: op.tril(a, -1),
        "triu": lambda a: op.triu(a, 1), "sort": lambda a: op.sort(a, 1, True), "argsort": op.argsort,
        "topk": lambda a: op.topk(a, 2, ret_type="values"), "topk_both": lambda a: op.topk(a, 2, largest=False),
        "unique": lambda a: op.unique(a, axis=1), "unique_all": lambda a: op.unique(a, True, True, True, True),
        "slice": lambda a: op.strided_slice(a, [0, 2], [0, 1], [2, 3], [1, 2]),
        "slice_bound": lambda a: op.strided_slice(a, [0], [0], [1], assume_inbound=True),
        "collapse": lambda a: op.collapse_sum_to(a, (3, 4)), "sum_axis": lambda a: op.sum(a, [0, -1], True),
        "median_axis": lambda a: op.median(a, 1, True), "max_axis": lambda a: op.max(a, 1),
        "argmax_axis": lambda a: op.argmax(a, 1, True), "cumsum_axis": lambda a: op.cumsum(a, 0, "float64", True),
        "softmax_axis": lambda a: op.nn.softmax(a, 1), "pad": lambda a: op.nn.pad(a, [1, 1, 0, 0, 2, 2]),
        "pad_mode": lambda a: op.nn.pad(a, [1, 1, 0, 0, 2, 2], "reflect"),
        "layout": lambda a: op.layout_transform(a, lambda i, j, k: (k, i, j)),
        "layout_pad": lambda a: op.layout_transform(a, lambda i, j, k: (i, j, k // 3, k % 3), pad_value=2.0),
        "eye_like": lambda a: op.eye_like(op.squeeze(op.sum(a, [0], False)), 1), "item": lambda a: op.split(a, 2)[1],
        "allreduce": lambda a: op.ccl.allreduce(a, "sum", False), "allgather": lambda a: op.ccl.allgather(a, 2),
        "scatter_worker": lambda a: op.ccl.scatter_from_worker0(a, 2), "print": lambda a: op.print(a, format="{}"),
        "stop_lift": op.builtin.stop_lift_params, "packed": lambda a: _packed("f", a),
        "builtin": lambda a: op.call_builtin_with_ctx("vm.f", (a,), ty_args=relax.TensorType(dtype="float32", ndim=2)),
        "assert": lambda a: op.assert_op(relax.const(True, "bool"), a, format="no {}"),
        "batch_flatten": op.nn.batch_flatten, "softplus": lambda a: op.nn.softplus(a, 2.0, 10.0),
        "leaky": lambda a: op.nn.leakyrelu(a, 0.2), "dropout": lambda a: op.nn.dropout(a, 0.3),
        "tuple": lambda a: relax.Tuple([a, relax.Tuple([a, relax.const(1)]), relax.Tuple([])]),
        "inplace": lambda a: op.call_inplace_packed("f", a, inplace_indices=0, ty_args=a.ty),
        "clip_float": lambda a: op.clip(a, -1.5, 1e6),
    }  # fmt: skip
    for name, make in one.items():
        yield name, make, [x]
    for dtype in ("bool", "int8", "int16", "int32", "int64", "uint8", "uint32", "float16", "bfloat16", "float64",
                  "float8_e4m3fn", "float8_e5m2"):  # fmt: skip
        yield f"to_{dtype}", lambda a, dtype=dtype: op.astype(a, dtype), [x]
        yield f"wide_{dtype}", lambda a: relax.Tuple([a, a]), [tensor("x", (n, 2), dtype)]
    for value, dtype in ((1, "int8"), (-7, "int64"), (True, "bool"), (1.5, "float16"), (1e-9, "float64"), (3, "uint8"),
                         (2.5, "float32"), (float("inf"), "float32"), (65504, "float16")):  # fmt: skip
        yield f"const_{dtype}_{value}", lambda value=value, dtype=dtype: relax.const(value, dtype), []
    for label, value in (("prim", relax.prim_value(3)), ("prim_n", n * 2 + 1), ("shape", relax.ShapeExpr([1, n])),
                         ("text", tvm.ir.StringImm('he"y\n')), ("dtype", R.dtype("float16")),
                         ("prim_f", tirx.FloatImm("float32", 1.5)), ("prim32", tirx.IntImm("int32", 3))):  # fmt: skip
        yield f"value_{label}", lambda a, value=value: value, [tensor("x", (n, 2))]
    yield "zeros", lambda: op.zeros((2, 2), "float32"), []
    yield "ones", lambda a: op.ones((n, 2), "int8"), [tensor("x", (n,))]
    yield "full", lambda: op.full((2, 3), relax.const(1.5, "float32"), "float16"), []
    yield "arange", lambda: op.arange(1, 10, 2, "int32"), []
    yield "arange_n", lambda a: op.arange(n), [tensor("x", (n,))]
    yield "eye", lambda: op.eye(3, 4, 1, "int32"), []
    yield "hamming", lambda: op.hamming_window(8, True, 0.5, 0.5, "float32"), []
    yield "matmul", lambda a, b: op.matmul(a, b), [tensor("a", (n, 8)), tensor("b", (8, m))]
    yield "matmul_f16", lambda a, b: op.matmul(a, b, "float32"), [tensor("a", (2, 3, 8), "float16"),
                                                                  tensor("b", (8, 4), "float16")]  # fmt: skip
    yield "linear", lambda a, b, c: op.linear(a, b, c), [tensor("a", (n, 8)), tensor("w", (4, 8)), tensor("b", (4,))]
    yield "einsum", lambda a, b: op.einsum((a, b), "ijk,ijl->kl"), [x, y]
    yield "outer", op.outer, [tensor("a", (n,)), tensor("b", (m,))]
    yield "concat", lambda a, b: op.concat([a, b], 1), [x, y]
    yield "stack", lambda a, b: op.stack([a, b], 1), [x, y]
    yield "meshgrid", lambda a, b: op.meshgrid([a, b]), [tensor("a", (2,)), tensor("b", (3,))]
    yield "take", lambda a, b: op.take(a, b, 1), [x, at]
    yield "take_mode", lambda a, b: op.take(a, b, 1, mode="wrap"), [x, at]
    yield "gather", lambda a, b: op.gather_elements(a, b, 2), [x, tensor("i", (2, 3, 5), "int64")]
    yield "gather_nd", op.gather_nd, [x, at2]
    yield "index_tensor", lambda a, b: op.index_tensor(a, [b, b]), [x, at]
    yield "index_put", lambda a, b, c: op.index_put(a, b, c, True), [tensor("x", (9,)), at, tensor("v", (5,))]
    yield "scatter", lambda a, b, c: op.scatter_elements(a, b, c, 1, "add"), [x, tensor("i", (1, 1, 1), "int64"),
                                                                              tensor("u", (1, 1, 1))]  # fmt: skip
    yield "scatter_nd", op.scatter_nd, [x, at2, tensor("u", (5, 4))]
    yield "slice_scatter", lambda a, b: op.slice_scatter(a, b, 0, 3, 2, 1), [x, tensor("u", (2, 2, 4))]
    yield "one_hot", lambda a: op.one_hot(a, relax.prim_value(1), relax.prim_value(0), 7), [at]
    yield "bucketize", lambda a, b: op.bucketize(a, b, True), [x, tensor("b", (5,))]
    yield "reverse", op.reverse_sequence, [x, tensor("s", (2,), "int64")]
    yield "dynamic_slice", op.dynamic_strided_slice, [x, *[tensor(name, (3,), "int64") for name in "bes"]]
    yield "multinomial", op.multinomial_from_uniform, [tensor("p", (3, 5)), tensor("u", (4, 1)),
                                                       tensor("i", (4, 1), "int64")]  # fmt: skip
    yield "quantize", lambda a, b, c: op.quantize(a, b, c, 0, "int8"), [x, tensor("s", (2,)), tensor("z", (2,), "int8")]
    yield "dequantize", lambda a, b, c: op.dequantize(a, b, c, 0), [tensor("x", (2, 3), "int8"), tensor("s", (2,)),
                                                                    tensor("z", (2,), "int8")]  # fmt: skip
    yield "tensor_to_shape", op.tensor_to_shape, [tensor("s", (3,), "int64")]
    yield "shape_to_tensor", lambda a: op.shape_to_tensor(relax.ShapeExpr([1, n])), [tensor("x", (n,))]


def layers() -> Iterator[tuple[str, Any, list[Any]]]:
    """Layers of models."""
    image, weight = tensor("x", (1, 4, 8, 8)), tensor("w", (6, 4, 3, 3))
    sized = tensor("x", (n, 4, 8, 8))
    for name, data in (("", image), ("_n", sized)):
        yield f"conv2d{name}", lambda a, b: op.nn.conv2d(a, b, (2, 2), 1, out_dtype="float16"), [data, weight]
        yield f"max_pool2d{name}", lambda a: op.nn.max_pool2d(a, 2, 2), [data]
        yield f"avg_pool2d{name}", lambda a: op.nn.avg_pool2d(a, (2, 2), ceil_mode=True), [data]
        yield f"adaptive{name}", lambda a: op.nn.adaptive_avg_pool2d(a, 1), [data]
        four = [tensor(label, (4,)) for label in "gbmv"]
        yield f"batch_norm{name}", lambda *a: op.nn.batch_norm(*a, axis=1), [data, *four]
        yield f"batch_norm_0{name}", lambda *a: op.nn.batch_norm(*a, axis=1, training=True), [data, *four]
        yield f"group_norm{name}", lambda *a: op.nn.group_norm(*a, 2, 1, [2, 3]), [data, *four[:2]]
        yield f"instance_norm{name}", lambda *a: op.nn.instance_norm(*a, 1, [2, 3]), [data, *four[:2]]
        yield f"prelu{name}", op.nn.prelu, [data, four[0]]
        yield f"pixel_shuffle{name}", lambda a: op.nn.pixel_shuffle(a, 2), [data]
        yield f"resize{name}", lambda a: op.image.resize2d(a, (4, 4), method="cubic"), [data]
        yield f"grid_sample{name}", op.image.grid_sample, [data, tensor("g", (1 if data is image else n, 2, 5, 5))]
        yield f"roi_align{name}", lambda a, b: op.roi_align(a, b, (3, 3), 0.5), [data, tensor("r", (5, 5))]
        yield f"roi_pool{name}", lambda a, b: op.roi_pool(a, b, (3, 3), 0.5), [data, tensor("r", (5, 5))]
    yield "conv1d", op.nn.conv1d, [tensor("a", (1, 4, 8)), tensor("w", (6, 4, 3))]
    yield "conv3d", op.nn.conv3d, [tensor("a", (1, 4, 8, 8, 8)), tensor("w", (6, 4, 3, 3, 3))]
    yield "conv1d_transpose", op.nn.conv1d_transpose, [tensor("a", (1, 6, 8)), tensor("w", (6, 4, 3))]
    yield "conv2d_transpose", op.nn.conv2d_transpose, [tensor("a", (1, 6, 8, 8)), weight]
    yield "conv3d_transpose", op.nn.conv3d_transpose, [tensor("a", (1, 6, 8, 8, 8)), tensor("w", (6, 4, 3, 3, 3))]
    yield "resize3d", lambda a: op.image.resize3d(a, (4, 4, 4)), [tensor("a", (1, 4, 8, 8, 8))]
    yield "affine_grid", lambda a: op.image.affine_grid(a, (7, 9)), [tensor("t", (2, 2, 3))]
    yield "layer_norm", lambda *a: op.nn.layer_norm(*a, -1), [tensor("x", (n, 8)), tensor("g", (8,)), tensor("b", (8,))]
    yield "rms_norm", lambda *a: op.nn.rms_norm(*a, -1), [tensor("x", (n, 8)), tensor("g", (8,))]
    head = tensor("q", (1, 4, 2, 8))
    yield "attention", lambda a: op.nn.attention(a, a, a, causal_mask="TopLeft"), [head]
    yield "attention_bias", lambda a, b: op.nn.attention(a, a, a, b, scale=0.5), [head, tensor("b", (1, 2, 4, 4))]
    yield "cross_entropy", op.nn.cross_entropy_with_logits, [tensor("p", (3, 5)), tensor("l", (3, 5))]
    yield "nll", lambda a, b: op.nn.nll_loss(a, b, reduction="sum"), [tensor("p", (3, 5)), tensor("l", (3,), "int64")]
    boxes, scores = tensor("b", (1, 9, 4)), tensor("s", (1, 2, 9))
    yield "valid_counts", lambda a: op.get_valid_counts(a, 0.5), [tensor("x", (2, 9, 6))]
    yield "nms", op.non_max_suppression, [tensor("x", (2, 9, 6)), tensor("c", (2,), "int32"),
                                                 tensor("i", (2, 9), "int32")]  # fmt: skip
    yield "multibox", op.multibox_transform_loc, [tensor("p", (1, 3, 9)), tensor("l", (1, 36)), boxes]
    limits = [tensor("k", (1,), "int64"), tensor("t", (1,)), tensor("o", (1,))]
    yield "all_class_nms", op.all_class_non_max_suppression, [boxes, scores, *limits]


IMPURE = {"print", "assert", "packed", "builtin"}


def _packed(name: str, *args: Any) -> Any:
    return relax.Call(relax.ExternFunc(name), list(args), ty_args=[relax.TensorType((2,), "float32")])


def built(name: str, make: Callable[..., Any], params: list[Any], dataflow: bool = True) -> Any:
    """A module of one call."""
    builder = relax.BlockBuilder()
    pure = name not in IMPURE
    with builder.function("main", params, pure=pure):
        if dataflow and pure:
            with builder.dataflow():
                found = builder.emit_output(make(*params))
        else:
            found = builder.emit(make(*params))
        builder.emit_func_output(found)
    return builder.get()


# models


class MLP(nn.Module):  # type: ignore[misc]  # TVM has no types
    def __init__(self) -> None:
        self.a, self.b = nn.Linear(16, 32), nn.Linear(32, 10, bias=False)
        self.norm = nn.RMSNorm(16, -1, 1e-5, bias=False)

    def forward(self, x: Any) -> Any:
        return self.b(nn.op.relu(self.a(self.norm(x))))


class Convolution(nn.Module):  # type: ignore[misc]  # TVM has no types
    def __init__(self) -> None:
        self.conv, self.group, self.layer = nn.Conv2D(3, 8, 3, padding=1), nn.GroupNorm(4, 8), nn.LayerNorm(8)

    def forward(self, x: Any) -> Any:
        return self.layer(nn.op.permute_dims(nn.op.silu(self.group(self.conv(x))), [0, 2, 3, 1]))


class Attention(nn.Module):  # type: ignore[misc]  # TVM has no types
    def __init__(self) -> None:
        self.qkv, self.out, self.cache = nn.Linear(32, 96), nn.Linear(32, 32), nn.KVCache(8, [4, 8])

    def forward(self, x: Any, total: tirx.Var) -> Any:
        b, length, _ = x.shape
        q, k, _ = [nn.op.reshape(part, (b, length, 4, 8)) for part in nn.op.split(self.qkv(x), 3, axis=-1)]
        self.cache.append(nn.op.squeeze(k, 0))
        keys = nn.op.reshape(self.cache.view(total), (b, total, 4, 8))
        q, keys = nn.op.permute_dims(q, (0, 2, 1, 3)), nn.op.permute_dims(keys, (0, 2, 3, 1))
        return nn.op.sum(nn.op.softmax(nn.op.matmul(q, keys)), -1), self.out(x)


class Embedding(nn.Module):  # type: ignore[misc]  # TVM has no types
    def __init__(self) -> None:
        self.table, self.layers = nn.Embedding("v", 16), nn.ModuleList([nn.Linear(16, 16) for _ in range(3)])

    def forward(self, ids: Any) -> Any:
        x = self.table(ids)
        for layer in self.layers:
            x = x + nn.op.gelu(layer(x), approximate="tanh")
        return x, nn.op.astype(x, "float16")


class Mixed(nn.Module):  # type: ignore[misc]  # TVM has no types
    def forward(self, x: Any, y: Any, k: int = 3) -> Any:
        a = nn.op.concat([x, y], 0)
        twice = nn.op.tensor_expr_op(lambda p: te.compute(p.shape, lambda *i: p(*i) * 2.0, name="twice"), "twice", [x])
        return (a, nn.op.unsqueeze(nn.op.repeat(a, 2, 0), 1), nn.op.maximum(x, y), twice,
                nn.op.topk(x, 2, -1, "both"), nn.op.cumsum(x, 0), nn.op.where(nn.op.less(x, y), x, y))  # fmt: skip


def _one(name: str) -> type:
    class One(nn.Module):  # type: ignore[misc]  # TVM has no types
        def forward(self, x: Any) -> Any:
            return getattr(nn.op, name)(x)

    return One


def models() -> Iterator[tuple[str, Any, dict[str, Any], dict[str, Any]]]:
    spec = nn.spec.Tensor
    yield "mlp", MLP, {"forward": {"x": spec(["n", 16], "float32")}}, {}
    yield "convolution", Convolution, {"forward": {"x": spec([1, 3, 8, 8], "float32")}}, {}
    yield "attention", Attention, {"forward": {"x": spec([1, "n", 32], "float32"), "total": int}}, {"debug": True}
    ways = {"param_mode": "packed", "effect_mode": "none"}
    yield "embedding", Embedding, {"forward": {"ids": spec(["n"], "int32"), "$": ways}}, {}
    yield "mixed", Mixed, {"forward": {"x": spec([4, 8], "float32"), "y": spec([4, 8], "float32"), "k": int}}, {}
    for name in [
        "relu",
        "silu",
        "softmax",
        "square",
        "negative",
        "exp",
        "sqrt",
        "permute_dims",
        "sum",
        "max",
        "min",
        "sigmoid",
    ]:
        yield f"one_{name}", _one(name), {"forward": {"x": spec(["a", "b"], "float16")}}, {}


# passes


def single_passes() -> dict[str, Any]:
    t = relax.transform
    return {
        "normalize": lambda: t.Normalize(), "plain": lambda: t.ToNonDataflow(), "legal": lambda: t.LegalizeOps(),
        "topological": lambda: t.TopologicalSort(), "impure": lambda: t.RemovePurityChecking(),
        "inplace": lambda: t.DataflowUseInplaceCalls(), "lambda": lambda: t.LambdaLift(),
        "canonical": lambda: t.CanonicalizeBindings(), "cse": lambda: t.EliminateCommonSubexpr(),
        "dataflow": lambda: t.ConvertToDataflow(), "dce": lambda: t.DeadCodeElimination(),
        "expand": lambda: t.ExpandTupleArguments(), "symbol": lambda: t.AttachGlobalSymbol(),
        "mixed": lambda: t.ToMixedPrecision(), "layout": lambda: t.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]}),
        "lift": lambda: t.LiftTransformParams(), "lazy_in": lambda: t.LazyGetInput(),
        "lazy_out": lambda: t.LazySetOutput(), "bundle": lambda: t.BundleModelParams(),
        "decompose": lambda: t.DecomposeOpsForTraining(), "fold": lambda: t.FoldConstant(),
        "parallel": lambda: t.CombineParallelMatmul(), "fast": lambda: t.FastMathTransform(),
    }  # fmt: skip


def steps() -> dict[str, Any]:
    t = relax.transform
    return {
        "legal": lambda: t.LegalizeOps(), "pattern": lambda: t.AnnotateTIROpPattern(), "fold": lambda: t.FoldConstant(),
        "fuse_ops": lambda: t.FuseOps(), "fuse_tir": lambda: t.FuseTIR(), "dce": lambda: t.DeadCodeElimination(),
        "reshape": lambda: t.RewriteDataflowReshape(), "plain": lambda: t.ToNonDataflow(),
        "impure": lambda: t.RemovePurityChecking(), "call_tir": lambda: t.CallTIRRewrite(),
        "plan": lambda: t.StaticPlanBlockMemory(), "graph": lambda: t.RewriteCUDAGraph(),
        "alloc": lambda: t.LowerAllocTensor(), "kill": lambda: t.KillAfterLastUse(), "builtin": lambda: t.VMBuiltinLower(),
        "prim": lambda: t.ComputePrimValue(), "shape": lambda: t.VMShapeLower(), "symbol": lambda: t.AttachGlobalSymbol(),
    }  # fmt: skip


def passed(write: Any, name: str, mod: Any) -> None:
    """The module after each pass alone, and after all steps of a build up to each."""
    for label, make in single_passes().items():
        try:
            with tvm.target.Target("llvm"):
                write(f"{name}.{label}", make()(mod))
        except REFUSED as error:
            write.skipped.append(f"{name}.{label}: {str(error)[-120:]}")
    for number, (label, make) in enumerate(steps().items()):
        try:
            with tvm.target.Target("llvm"):
                mod = make()(mod)
            write(f"{name}.step{number:02}_{label}", mod)
        except REFUSED as error:
            write.skipped.append(f"{name}.step {label}: {str(error)[-120:]}")


def fill(write: Any, families: set[str] | None = None) -> None:
    """All texts, or those of some families (operators, shaped, layers, models, sources)."""

    def wanted(family: str) -> bool:
        return families is None or family in families

    def one(name: str, make: Any, params: list[Any]) -> None:
        try:
            mod = built(name.split(".")[-1], make, params)
            write(name, mod)
            with tvm.target.Target("llvm"):
                write(f"{name}.legal", relax.transform.LegalizeOps()(mod))
        except REFUSED as error:
            write.skipped.append(f"{name}: {str(error)[-120:]}")

    for label, shape in SHAPES.items() if wanted("operators") else ():
        for name, make, params in unary(shape):
            one(f"op.{label}.{name}", make, params)
    for family, items in (("shaped", shaped), ("layers", layers)):
        for name, make, params in items() if wanted(family) else ():
            one(f"{family}.{name}", make, params)
    for name, kind, spec, options in models() if wanted("models") else ():
        try:
            mod = kind().export_tvm(spec=spec, **options)[0]
        except REFUSED as error:
            write.skipped.append(f"model {name}: {str(error)[-120:]}")
            continue
        write(f"model.{name}", mod)
        if not name.startswith("one_"):
            passed(write, f"model.{name}", mod)
    names = {"I": I, "R": R, "T": T, "tvm": tvm}
    for name, text in SOURCES.items() if wanted("sources") else ():
        try:
            mod = tvm.script.from_source(text, extra_vars=names, check_well_formed=False)
        except (*REFUSED, tvm.error.DiagnosticError) as error:
            write.skipped.append(f"source {name}: {str(error)[-300:]}")
            continue
        write(f"source.{name}", mod)
        if isinstance(mod, tvm.IRModule):
            passed(write, f"source.{name}", mod)
    if wanted("te"):
        x, y = tensor("x", (n, 4)), tensor("y", (n, 4))
        for name in ("add", "multiply", "maximum"):
            builder = relax.BlockBuilder()
            with builder.function("main", [x, y]):
                with builder.dataflow():
                    found = builder.emit_output(builder.call_te(getattr(topi, name), x, y))
                builder.emit_func_output(found)
            write(f"te.{name}", builder.get())


def main(folder: Path) -> None:
    """Fill the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write = Writer(folder)
    fill(write)
    print(f"{len(list(folder.glob('*.py')))} texts in {folder}; {len(write.skipped)} that TVM itself refused")
    for line in write.skipped:
        print("  ", line.replace("\n", " ")[:300])


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "/tmp/corpus27r"))
