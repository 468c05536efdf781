"""Models as TVM's own front ends make them: nn.Module exports, BlockBuilder, optimizers and losses, gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import tvm
from tvm import IRModule, relax, te, tir, topi
from tvm.relax.frontend import nn
from tvm.relax.frontend.nn import spec
from tvm.relax.training import loss, optimizer

op = relax.op


class MLP(nn.Module):  # type: ignore[misc]
    """Linear layers with a norm in front."""

    def __init__(self, bias: bool = True, dtype: str = "float32") -> None:
        self.norm = nn.RMSNorm(16, -1, 1e-5, bias=False, dtype=dtype)
        self.up = nn.Linear(16, 32, bias=bias, dtype=dtype)
        self.down = nn.Linear(32, 10, bias=False, dtype=dtype)

    def forward(self, x: Any) -> Any:
        return self.down(nn.op.silu(self.up(self.norm(x))))


class Gated(nn.Module):  # type: ignore[misc]
    """The feed-forward part of a language model."""

    def __init__(self) -> None:
        self.gate_up = nn.Linear(16, 64, bias=False)
        self.down = nn.Linear(32, 16, bias=False)

    def forward(self, x: Any) -> Any:
        gate, up = nn.op.split(self.gate_up(x), 2, axis=-1)
        return self.down(nn.op.silu(gate) * up) + x


class Attention(nn.Module):  # type: ignore[misc]
    """Attention with a cache outside of the program."""

    def __init__(self, width: int = 32, heads: int = 4) -> None:
        self.heads, self.width = heads, width
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.keys = nn.KVCache(8, [heads, width // heads])
        self.values = nn.KVCache(8, [heads, width // heads])

    def forward(self, x: Any, total: tir.Var) -> Any:
        batch, length, width = x.shape
        size = self.width // self.heads
        query, key, value = (
            nn.op.reshape(part, (batch, length, self.heads, size)) for part in nn.op.split(self.qkv(x), 3, axis=-1)
        )
        self.keys.append(nn.op.squeeze(key, 0))
        self.values.append(nn.op.squeeze(value, 0))
        key = nn.op.reshape(self.keys.view(total), (batch, total, self.heads, size))
        value = nn.op.reshape(self.values.view(total), (batch, total, self.heads, size))
        query = nn.op.permute_dims(query, (0, 2, 1, 3))
        scores = nn.op.matmul(query, nn.op.permute_dims(key, (0, 2, 3, 1))) / size**0.5
        made = nn.op.matmul(nn.op.softmax(scores, -1), nn.op.permute_dims(value, (0, 2, 1, 3)))
        return self.out(nn.op.reshape(nn.op.permute_dims(made, (0, 2, 1, 3)), (batch, length, width)))


class Convolutions(nn.Module):  # type: ignore[misc]
    """What there is of convolutions in nn."""

    def __init__(self) -> None:
        self.line = nn.Conv1D(3, 8, 3, padding=1)
        self.norm = nn.GroupNorm(4, 8)
        self.layer = nn.LayerNorm(8)

    def forward(self, x: Any) -> Any:
        return self.layer(nn.op.permute_dims(nn.op.gelu(self.norm(self.line(x))), [0, 2, 1]))


class Embedded(nn.Module):  # type: ignore[misc]
    """A row of layers over an embedding whose size is not known."""

    def __init__(self) -> None:
        self.table = nn.Embedding("vocabulary", 16)
        self.layers = nn.ModuleList([Gated() for _ in range(2)])

    def forward(self, ids: Any) -> Any:
        x = self.table(ids)
        for layer in self.layers:
            x = layer(x)
        return nn.op.astype(x, "float16"), nn.op.softmax(x, -1)


class Operators(nn.Module):  # type: ignore[misc]
    """Many functions of nn.op."""

    def forward(self, x: Any, y: Any) -> Any:
        doubled = nn.op.tensor_expr_op(lambda a: te.compute(a.shape, lambda *at: a(*at) * 2, name="d"), "doubled", [x])
        return (
            nn.op.concat([x, y], 0), nn.op.unsqueeze(nn.op.repeat(x, 2, 0), 1), nn.op.maximum(x, y), doubled,
            nn.op.broadcast_to(x, (4, 4, 8)), nn.op.topk(x, 2, -1, "both"), nn.op.argsort(x, -1), nn.op.cumsum(x, 0),
            nn.op.where(nn.op.less(x, y), x, y), nn.op.take(x, nn.op.astype(nn.op.sum(y, -1), "int32"), 0),
            nn.op.chunk(x, 2, 0), nn.op.full((2, 3), nn.Tensor.from_scalar(1.0, "float32"), "float16"),
            nn.op.triu(x), nn.op.zeros((2, 2)), nn.op.square(x), nn.op.exp(y),
        )  # fmt: skip


class External(nn.Module):  # type: ignore[misc]
    """Calls of functions outside of the program."""

    def forward(self, x: Any, count: int) -> Any:
        made = nn.op.extern("ext.scale", [x, count, 0.5], nn.Tensor.placeholder(x.shape, x.dtype))
        nn.op.debug_func("ext.look", made, _line_info="here")
        return nn.op.print_(made) or made


def exported() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Modules of nn."""
    tensor = spec.Tensor
    rows = {"forward": {"x": tensor(["n", 16], "float32")}}
    packed = {"$": {"param_mode": "packed", "effect_mode": "none"}}

    def export(make: Callable[[], Any], what: dict[str, Any], **more: Any) -> Callable[[], Any]:
        return lambda: make().export_tvm(spec=what, **more)[0]

    yield "nn-mlp", export(MLP, rows)
    yield "nn-mlp-fixed", export(MLP, {"forward": {"x": tensor([4, 16], "float32")}})
    yield "nn-mlp-half", export(lambda: MLP(dtype="float16"), {"forward": {"x": tensor(["n", 16], "float16")}})
    yield "nn-mlp-packed", export(MLP, {"forward": rows["forward"] | packed})
    yield "nn-mlp-no-bias", export(lambda: MLP(bias=False), rows)
    yield "nn-gated", export(Gated, {"forward": {"x": tensor([1, "n", 16], "float32")}})
    attention = {"forward": {"x": tensor([1, "n", 32], "float32"), "total": int}}
    yield "nn-attention", export(Attention, attention)
    yield "nn-attention-debug", export(Attention, attention, debug=True)
    yield "nn-convolutions", export(Convolutions, {"forward": {"x": tensor([1, 3, 8], "float32")}})
    yield "nn-embedded", export(Embedded, {"forward": {"ids": tensor(["n"], "int32")}})
    two = {"x": tensor([4, 8], "float32"), "y": tensor([4, 8], "float32")}
    yield "nn-operators", export(Operators, {"forward": two})
    yield "nn-external", export(External, {"forward": {"x": tensor(["n", 8], "float32"), "count": int}}, debug=True)
    unary = "relu silu gelu softmax square negative exp sigmoid sqrt tanh permute_dims sum max min triu tril astype"
    for name in unary.split():
        yield f"nn-{name}", export(lambda f=name: one(f), {"forward": {"x": tensor(["a", "b"], "float32")}})


def one(name: str) -> Any:
    """A module that calls one function of nn.op."""

    class One(nn.Module):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            return getattr(nn.op, name)(x, *(("float16",) if name == "astype" else ()))

    return One()


def tensor(name: str, shape: tuple[Any, ...] | None, dtype: str = "float32") -> Any:
    """A Relax variable."""
    return relax.Var(name, relax.TensorStructInfo(shape, dtype))


def function(params: list[Any], make: Callable[[Any], Any], dataflow: bool = True) -> Any:
    """A module with one function, by the builder."""
    builder = relax.BlockBuilder()
    with builder.function("main", params):
        if dataflow:
            with builder.dataflow():
                result = builder.emit_output(make(builder))
        else:
            result = builder.emit(make(builder))
        builder.emit_func_output(result)
    return builder.get()


def emitted() -> Iterator[tuple[str, Callable[[], Any]]]:
    """What the builder makes, tensor expressions among it."""
    n, m = tir.Var("n", "int64"), tir.Var("m", "int64")
    x, w, b = tensor("x", (n, 4)), tensor("w", (4, 4)), tensor("b", (4,))

    def mlp(builder: Any, depth: int = 3) -> Any:
        hidden = x
        for _ in range(depth):
            hidden = builder.emit(op.nn.relu(builder.emit(op.add(builder.emit(op.matmul(hidden, w)), b))))
        return op.nn.softmax(hidden)

    yield "bb-mlp", lambda: function([x, w, b], mlp)
    yield "bb-mlp-deep", lambda: function([x, w, b], lambda builder: mlp(builder, 8))
    yield "bb-outside-dataflow", lambda: function([x, w, b], mlp, dataflow=False)
    image, kernel = tensor("image", (1, 4, 8, 8)), tensor("kernel", (8, 4, 3, 3))

    def network(builder: Any) -> Any:
        gamma = [relax.const(np.linspace(0, 1, 8).astype("float32")) for _ in range(4)]
        hidden = builder.emit(op.nn.conv2d(image, kernel, padding=1))
        hidden = builder.emit(op.nn.batch_norm(hidden, *gamma, axis=1))
        hidden = builder.emit(op.nn.relu(builder.emit(relax.TupleGetItem(hidden, 0))))
        hidden = builder.emit(op.nn.max_pool2d(hidden, (2, 2), (2, 2)))
        hidden = builder.emit(op.nn.adaptive_avg_pool2d(hidden, 1))
        return op.reshape(hidden, (1, -1))

    yield "bb-convolutions", lambda: function([image, kernel], network)
    yield "bb-te", lambda: function([x, w], lambda builder: builder.call_te(topi.nn.matmul, x, w))
    yield "bb-te-twice", lambda: function(
        [x, w], lambda builder: builder.call_te(topi.nn.relu, builder.emit_te(topi.nn.matmul, x, w)))  # fmt: skip
    square = tensor("a", (n, n))

    def plus(a: Any, k: Any) -> Any:
        return te.compute(a.shape, lambda *at: a(*at) + k.astype("float32"), name="plus")

    yield "bb-te-size", lambda: function([square], lambda builder: builder.call_te(plus, square, n))

    def both(a: Any) -> Any:
        return [topi.exp(a), topi.sum(a, axis=1)]

    yield "bb-te-tuple", lambda: function([x], lambda builder: builder.call_te(both, x))
    left, right = tensor("p", (n, m)), tensor("q", (m, 4))
    yield "bb-symbolic", lambda: function([left, right], lambda builder: op.matmul(left, right))
    unknown = tensor("u", None)
    yield "bb-unknown", lambda: function([unknown], lambda builder: op.exp(builder.emit(op.add(unknown, unknown))))

    def cast(builder: Any) -> Any:
        known = builder.match_cast(unknown, relax.TensorStructInfo((n, m), "float32"))
        return op.reshape(known, (m, n))

    yield "bb-match-cast", lambda: function([unknown], cast)
    for name, value in values().items():
        yield f"bb-value-{name}", lambda v=value: function([x], lambda builder: v)
    yield "bb-branch", branch
    yield "bb-two-functions", two_functions


def values() -> dict[str, Any]:
    """Values that are no calls."""
    numbers = {
        dtype: relax.const(np.arange(6).reshape(2, 3).astype(dtype))
        for dtype in ["int8", "uint8", "int16", "int32", "int64", "uint64", "float16", "float32", "float64", "bool"]
    }
    scalars = {
        f"scalar-{index}": relax.const(value, dtype)
        for index, (value, dtype) in enumerate(
            [
                (1.0, "float32"),
                (-0.0, "float32"),
                (1e-30, "float32"),
                (1e30, "float64"),
                (0.1, "float16"),
                (True, "bool"),
                (-5, "int64"),
                (255, "uint8"),
                (float("inf"), "float32"),
                (float("-inf"), "float64"),
                (float("nan"), "float32"),
                (1 / 3, "float64"),
                (1 / 3, "float32"),
                (2**40, "int64"),
            ]
        )
    }
    return numbers | scalars | {
        "empty": relax.const(np.zeros((0, 2), "float32")),
        "tuple": relax.Tuple([relax.const(1), relax.Tuple([relax.const(2.0)]), relax.Tuple([])]),
        "prim": relax.PrimValue(3), "prim-float": relax.PrimValue(tir.FloatImm("float32", 1.5)),
        "prim-int32": relax.PrimValue(tir.IntImm("int32", 3)), "prim-bool": relax.PrimValue(tir.IntImm("bool", 1)),
        "shape": relax.ShapeExpr([1, 2]), "shape-empty": relax.ShapeExpr([]),
        "string": relax.StringImm('he said "y"\n\t\\'), "dtype": relax.DataTypeImm("float16"),
    }  # fmt: skip


def branch() -> Any:
    """A function with a branch, made by hand: the builder makes none."""
    condition, x = relax.Var("c", relax.TensorStructInfo((), "bool")), tensor("x", (4,))
    builder = relax.BlockBuilder()

    def side(value: Any) -> Any:
        made = relax.Var("y", relax.TensorStructInfo((4,), "float32"))
        return relax.SeqExpr([relax.BindingBlock([relax.VarBinding(made, value)])], made)

    with builder.function("main", [condition, x]):
        result = builder.emit(relax.If(condition, side(op.exp(x)), side(op.negative(x))))
        builder.emit_func_output(result)
    return builder.get()


def two_functions() -> Any:
    """A function that calls another one of the module."""
    x, y = tensor("x", (4,)), tensor("y", (4,))
    builder = relax.BlockBuilder()
    with builder.function("helper", [x], private=True):
        builder.emit_func_output(builder.emit(op.exp(x)))
    helper = builder.get().get_global_var("helper")
    with builder.function("main", [y]):
        builder.emit_func_output(builder.emit(relax.Call(helper, [builder.emit(relax.Call(helper, [y]))])))
    return builder.get()


def trained() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Optimizers, losses, gradients."""
    params = [tensor("w", (3, 4)), tensor("b", (4,))]
    makers = {
        "sgd": lambda: optimizer.SGD(0.1), "sgd-decay": lambda: optimizer.SGD(0.01, 0.02),
        "momentum": lambda: optimizer.MomentumSGD(0.1, 0.9),
        "nesterov": lambda: optimizer.MomentumSGD(0.1, 0.9, dampening=0.85, weight_decay=0.1, nesterov=False),
        "nesterov-decay": lambda: optimizer.MomentumSGD(0.1, 0.9, weight_decay=0.1, nesterov=True),
        "adam": lambda: optimizer.Adam(0.1), "adam-all": lambda: optimizer.Adam(0.1, (0.8, 0.85), 1e-7, 0.1),
    }  # fmt: skip
    for name, make in makers.items():
        yield f"training-{name}", lambda f=make: IRModule.from_expr(f().init(params).get_function())
    info, labels = relax.TensorStructInfo((3, 5), "float32"), relax.TensorStructInfo((3,), "int64")
    for reduction in ("mean", "sum", "none"):
        yield f"loss-l1-{reduction}", lambda r=reduction: IRModule.from_expr(loss.L1Loss(r)(info, info))
        yield f"loss-mse-{reduction}", lambda r=reduction: IRModule.from_expr(loss.MSELoss(r)(info, info))
        yield (
            f"loss-entropy-{reduction}",
            lambda r=reduction: IRModule.from_expr(loss.CrossEntropyLoss(r, ignore_index=1)(info, labels)),
        )
    for name, text in GRADIENTS.items():
        yield f"gradient-{name}", lambda t=text: relax.transform.Gradient("main")(tvm.script.from_source(MODULE + t))


MODULE = "@I.ir_module\nclass Module:\n    @R.function\n"


def _of_loss(params: str, *lines: str) -> str:
    made = "".join(f"            {line}\n" for line in lines)
    return f"    def main({params}):\n        with R.dataflow():\n{made}            R.output(gv)\n        return gv\n"


_X, _W, _L = 'x: R.Tensor((3, 5), "float32")', 'w: R.Tensor((5, 4), "float32")', 'l: R.Tensor((3, 4), "float32")'
GRADIENTS = {
    "entropy": _of_loss(f"{_X}, {_W}, {_L}", "o = R.nn.relu(R.matmul(x, w))", "gv = R.nn.cross_entropy_with_logits(o, l)"),
    "sum": _of_loss(_X, "a = R.exp(x)", "b = R.multiply(a, R.sin(x))", "gv = R.sum(b)"),
    "mean": _of_loss(f"{_X}, y: R.Tensor((5,), 'float32')", "a = R.divide(R.add(x, y), R.sqrt(y))", "gv = R.sum(R.mean(a, 0))"),
    "tuple": _of_loss(_X, "a = (x, x)", "b = a[0]", "c = R.concat((b, x), 0)", "d = R.split(c, 2, 0)", "gv = R.sum(d[1])"),
    "log_softmax": _of_loss(
        f"{_X}, t: R.Tensor((3,), 'int64')", "a = R.nn.log_softmax(x)", "gv = R.nn.nll_loss(a, t, reduction='sum')"),
    "conv": _of_loss(
        'x: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")',
        "a = R.nn.conv2d(x, w)", "b = R.nn.max_pool2d(a, (2, 2))", "c = R.nn.avg_pool2d(b, (3, 3))", "gv = R.sum(c)"),
    "manipulate": _of_loss(
        _X, "a = R.permute_dims(x)", "b = R.reshape(a, (15,))", "c = R.expand_dims(b, 0)", "d = R.squeeze(c, 0)",
        "e = R.strided_slice(d, axes=[0], begin=[0], end=[4])", "f = R.cumsum(e, 0)", "g = R.broadcast_to(f, (2, 4))", "gv = R.sum(g)"),
    "where": _of_loss(
        _X, "a = R.where(R.greater(x, R.const(0, 'float32')), x, R.negative(x))", "b = R.maximum(a, x)",
        "c = R.clip(R.sigmoid(b), 0, 1)", "d = R.variance(R.tanh(c), 1)", "gv = R.max(d)"),
    "checkpoint": _of_loss(
        _X, "a = R.grad.start_checkpoint(x)", "b = R.exp(R.exp(a))", "c = R.grad.end_checkpoint(b)", "gv = R.sum(c)"),
}  # fmt: skip


def models() -> Iterator[tuple[str, Callable[[], Any]]]:
    """All of them by name."""
    yield from exported()
    yield from emitted()
    yield from trained()
