"""Losses. The deprecated arguments of `torch.nn.functional` between the others are None, or not there."""

from __future__ import annotations

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.op import binary, statistical, unary
from tvmscript.ir.relax.op.index import take
from tvmscript.ir.relax.op.nn import activation, loss
from tvmscript.ir.relax.op.reshape import reshape

#: reductions of aten operators
_REDUCTIONS = ("none", "mean", "sum")


def _reduction(ctx: Context, reduction: str | int | None) -> str:
    if isinstance(reduction, str):
        return reduction
    if reduction is None or isinstance(reduction, bool):
        ctx.fail("size_average and reduce are deprecated: say reduction=")
    return _REDUCTIONS[reduction]


def _reduce(ctx: Context, x: RelaxExpr, reduction: str | int) -> RelaxExpr:
    name = _reduction(ctx, reduction)
    if name == "none":
        return x
    return ctx.call(statistical.mean if name == "mean" else statistical.sum, x, None, keepdims=False)


def _reduce_weighted(ctx: Context, losses: RelaxExpr, weight: RelaxExpr | None, reduction: str | int) -> RelaxExpr:
    """Emit the reduction of weighted losses. Their mean is divided by the sum of the weights."""
    if weight is None:
        return _reduce(ctx, losses, reduction)
    weighted = ctx.emit(losses * weight)
    if _reduction(ctx, reduction) != "mean":
        return _reduce(ctx, weighted, reduction)
    return ctx.emit(_reduce(ctx, weighted, "sum") / _reduce(ctx, weight, "sum"))


@converts("nll_loss", "nll_loss2d", "nll_loss_nd")
def _nll_loss(
    ctx: Context,
    x: RelaxExpr,
    target: RelaxExpr,
    weight: RelaxExpr | None = None,
    reduction: str | int = "mean",
    ignore_index: int = -100,
) -> RelaxExpr:
    return ctx.call(loss.nll_loss, x, target, weight, _reduction(ctx, reduction), ignore_index)


@converts("nll_loss_forward", "nll_loss2d_forward")
def _nll_loss_forward(
    ctx: Context,
    x: RelaxExpr,
    target: RelaxExpr,
    weight: RelaxExpr | None = None,
    reduction: str | int = "mean",
    ignore_index: int = -100,
) -> tuple[RelaxExpr, None]:
    return _nll_loss(ctx, x, target, weight, reduction, ignore_index), None


@converts("cross_entropy_loss", "cross_entropy")
def cross_entropy(
    ctx: Context,
    x: RelaxExpr,
    target: RelaxExpr,
    weight: RelaxExpr | None = None,
    reduction: str | int = "mean",
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> RelaxExpr:
    """Emit the negative logarithm of the softmax at the target class."""
    axis = 0 if ctx.ndim(x) == 1 else 1
    logarithms = ctx.call(activation.log_softmax, x, -1 if axis == ctx.ndim(x) - 1 else axis)
    count = ctx.shape(x)[axis]
    spread = [count, *[1] * (ctx.ndim(x) - axis - 1)]
    by_class = None if weight is None else ctx.call(reshape, weight, spread)
    if "int" not in ctx.dtype(target):  # probabilities of all classes
        if label_smoothing:
            target = ctx.binary(
                binary.add, ctx.scaled(target, 1 - label_smoothing), label_smoothing / _number(ctx, count)
            )
        losses = _sum_of_classes(ctx, ctx.emit(logarithms * target), by_class, axis)
        return _reduce(ctx, losses, reduction)
    at_target = _nll_loss(ctx, logarithms, target, weight, reduction, ignore_index)
    if not label_smoothing:
        return at_target
    counted = ctx.cast(ctx.binary(binary.not_equal, target, ignore_index), ctx.dtype(x))
    losses = ctx.emit(_sum_of_classes(ctx, logarithms, by_class, axis) * counted)
    if _reduction(ctx, reduction) == "mean":
        if weight is not None:
            places = ctx.replace_where(ctx.binary(binary.equal, target, ignore_index), 0, target)
            counted = ctx.emit(ctx.call(take, weight, places, 0) * counted)
        losses = ctx.emit(_reduce(ctx, losses, "sum") / _reduce(ctx, counted, "sum"))
    else:
        losses = _reduce(ctx, losses, reduction)
    smooth = ctx.scaled(losses, label_smoothing / _number(ctx, count))
    return ctx.emit(ctx.scaled(at_target, 1 - label_smoothing) + smooth)


def _number(ctx: Context, count: object) -> int:
    return ctx.static(count, "the number of classes")


def _sum_of_classes(ctx: Context, logarithms: RelaxExpr, by_class: RelaxExpr | None, axis: int) -> RelaxExpr:
    """Emit the negative sum over classes, with a weight of each."""
    weighted = logarithms if by_class is None else ctx.emit(logarithms * by_class)
    return ctx.call(unary.negative, ctx.call(statistical.sum, weighted, [axis]))


@converts("mse_loss")
def _mse_loss(
    ctx: Context,
    x: RelaxExpr,
    target: RelaxExpr,
    reduction: str | int = "mean",
    weight: RelaxExpr | None = None,
) -> RelaxExpr:
    return _reduce_weighted(ctx, ctx.call(unary.square, x - target), weight, reduction)


@converts("l1_loss")
def _l1_loss(
    ctx: Context,
    x: RelaxExpr,
    target: RelaxExpr,
    reduction: str | int = "mean",
    weight: RelaxExpr | None = None,
) -> RelaxExpr:
    return _reduce_weighted(ctx, ctx.call(unary.abs, x - target), weight, reduction)


@converts("huber_loss")
def _huber_loss(
    ctx: Context,
    x: RelaxExpr,
    target: RelaxExpr,
    reduction: str | int = "mean",
    delta: float = 1.0,
    weight: RelaxExpr | None = None,
) -> RelaxExpr:
    distance = ctx.call(unary.abs, x - target)
    near = ctx.scaled(ctx.call(unary.square, distance), 0.5)
    far = ctx.scaled(ctx.binary(binary.subtract, distance, delta / 2), delta)
    losses = ctx.select(ctx.binary(binary.less, distance, delta), near, far)
    return _reduce(ctx, losses if weight is None else ctx.emit(losses * weight), reduction)


@converts("smooth_l1_loss")
def _smooth_l1_loss(
    ctx: Context, x: RelaxExpr, target: RelaxExpr, reduction: str | int = "mean", beta: float = 1.0
) -> RelaxExpr:
    if beta == 0:
        return _l1_loss(ctx, x, target, reduction)
    return ctx.scaled(_huber_loss(ctx, x, target, reduction, beta), 1 / beta)


@converts("binary_cross_entropy_with_logits")
def _binary_cross_entropy_with_logits(
    ctx: Context,
    x: RelaxExpr,
    target: RelaxExpr,
    weight: RelaxExpr | None = None,
    pos_weight: RelaxExpr | None = None,
    reduction: str | int = "mean",
) -> RelaxExpr:
    if pos_weight is None:
        losses = ctx.emit(ctx.call(activation.softplus, x) - x * target)
    else:
        one = ctx.constant(1, ctx.dtype(x))
        below = ctx.call(activation.softplus, ctx.call(unary.negative, x))
        losses = ctx.emit((one - target) * x + (one + (pos_weight - one) * target) * below)
    return _reduce(ctx, losses if weight is None else ctx.emit(losses * weight), reduction)
