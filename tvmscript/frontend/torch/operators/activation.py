"""Activations."""

from __future__ import annotations

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, lifts_scalars, register
from tvmscript.frontend.torch.values import Operand
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, manipulate, unary
from tvmscript.ir.relax.op.nn import activation

for _name, _operator in {"relu": activation.relu, "silu": activation.silu, "selu": activation.selu}.items():
    register(lambda ctx, x, _operator=_operator: ctx.call(_operator, x), _name)


def _one(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.constant(1, ctx.dtype(x))


@converts("gelu")
def _gelu(ctx: Context, x: RelaxExpr, approximate: str = "none") -> RelaxExpr:
    return ctx.call(activation.gelu_tanh if approximate == "tanh" else activation.gelu, x)


@converts("relu6")
def _relu6(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.clip(x, 0, 6)


@converts("leaky_relu")
def _leaky_relu(ctx: Context, x: RelaxExpr, negative_slope: float = 0.01) -> RelaxExpr:
    return ctx.call(activation.leakyrelu, x, negative_slope)


@converts("rrelu")
def _rrelu(ctx: Context, x: RelaxExpr, lower: float = 1 / 8, upper: float = 1 / 3) -> RelaxExpr:
    return _leaky_relu(ctx, x, (lower + upper) / 2)


@converts("rrelu_with_noise")
def _rrelu_with_noise(
    ctx: Context, x: RelaxExpr, noise: RelaxExpr, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False
) -> RelaxExpr:
    return _rrelu(ctx, x, lower, upper)


@converts("rrelu_with_noise_functional")
def _rrelu_and_noise(
    ctx: Context, x: RelaxExpr, noise: RelaxExpr, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False
) -> tuple[RelaxExpr, RelaxExpr]:
    return _rrelu(ctx, x, lower, upper), noise


@converts("prelu", "_prelu_kernel")
def _prelu(ctx: Context, x: RelaxExpr, weight: RelaxExpr) -> RelaxExpr:
    if ctx.ndim(weight) > 1:  # a weight that broadcasts as it is
        return ctx.select(ctx.binary(binary.greater, x, 0), x, ctx.emit(x * weight))
    if ctx.ndim(weight) == 0 or ctx.ndim(x) < 2:
        return ctx.select(ctx.binary(binary.greater, x, 0), x, ctx.emit(x * weight))
    return ctx.call(activation.prelu, x, weight, 1)


@converts("elu")
def _elu(ctx: Context, x: RelaxExpr, alpha: float = 1, scale: float = 1, input_scale: float = 1) -> RelaxExpr:
    below = ctx.call(activation.relu, _one(ctx, x) - ctx.call(unary.exp, ctx.scaled(x, input_scale)))
    low = ctx.emit(ctx.constant(-alpha, ctx.dtype(x)) * below)
    return ctx.scaled(ctx.emit(low + ctx.call(activation.relu, x)), scale)


@converts("celu")
def _celu(ctx: Context, x: RelaxExpr, alpha: float = 1) -> RelaxExpr:
    low = ctx.scaled(ctx.emit(ctx.call(unary.exp, ctx.scaled(x, 1 / alpha)) - _one(ctx, x)), alpha)
    return ctx.select(ctx.binary(binary.greater, x, 0), x, low)


@converts("mish")
def _mish(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.emit(x * ctx.call(unary.tanh, ctx.call(activation.softplus, x)))


@converts("hardtanh")
def _hardtanh(ctx: Context, x: RelaxExpr, min_val: float = -1, max_val: float = 1) -> RelaxExpr:
    return ctx.clip(x, min_val, max_val)


@converts("hardsigmoid")
def _hardsigmoid(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    dtype = ctx.dtype(x)
    raised = ctx.clip(ctx.emit(x + ctx.constant(3, dtype)), 0, 6)
    return ctx.emit(raised / ctx.constant(6, dtype))


@converts("hardswish")
def _hardswish(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.emit(x * _hardsigmoid(ctx, x))


@converts("softplus")
def _softplus(ctx: Context, x: RelaxExpr, beta: float = 1, threshold: float = 20) -> RelaxExpr:
    return ctx.call(activation.softplus, x, beta, threshold)


@converts("softsign")
def _softsign(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.emit(x / (_one(ctx, x) + ctx.call(unary.abs, x)))


@converts("softshrink")
def _softshrink(ctx: Context, x: RelaxExpr, lambd: float = 0.5) -> RelaxExpr:
    size = ctx.binary(binary.maximum, ctx.binary(binary.subtract, ctx.call(unary.abs, x), lambd), 0)
    return ctx.emit(ctx.call(unary.sign, x) * size)


@converts("hardshrink")
def _hardshrink(ctx: Context, x: RelaxExpr, lambd: float = 0.5) -> RelaxExpr:
    return ctx.replace_where(ctx.binary(binary.less_equal, ctx.call(unary.abs, x), lambd), 0, x)


@converts("tanhshrink")
def _tanhshrink(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.emit(x - ctx.call(unary.tanh, x))


@converts("threshold", "_threshold")
def _threshold(ctx: Context, x: RelaxExpr, threshold: float, value: Operand) -> RelaxExpr:
    return ctx.replace_where(ctx.binary(binary.less_equal, x, threshold), value, x)


@converts("logsigmoid", "log_sigmoid", "log_sigmoid_forward")
def _logsigmoid(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    softplus = ctx.call(activation.softplus, ctx.call(unary.negative, x))
    return ctx.call(unary.negative, softplus)


@converts("glu")
def _glu(ctx: Context, x: RelaxExpr, dim: int = -1) -> RelaxExpr:
    halves = ctx.call(manipulate.split, x, 2, ctx.axis(x, dim))
    return ctx.emit(ctx.item(halves, 0) * ctx.call(unary.sigmoid, ctx.item(halves, 1)))


@converts("softmax", "_softmax", "special_softmax", "_safe_softmax")
@lifts_scalars
def _softmax(ctx: Context, x: RelaxExpr, dim: int, dtype: str | bool | None = None) -> RelaxExpr:
    return ctx.call(activation.softmax, ctx.cast(x, dtype) if isinstance(dtype, str) else x, dim)


@converts("log_softmax", "_log_softmax", "special_log_softmax")
@lifts_scalars
def _log_softmax(ctx: Context, x: RelaxExpr, dim: int, dtype: str | bool | None = None) -> RelaxExpr:
    return ctx.call(activation.log_softmax, ctx.cast(x, dtype) if isinstance(dtype, str) else x, dim)


@converts("softmin")
@lifts_scalars
def _softmin(ctx: Context, x: RelaxExpr, dim: int, dtype: str | None = None) -> RelaxExpr:
    return _softmax(ctx, ctx.call(unary.negative, x), dim, dtype)
