"""Loss functions."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tvmscript.ir.core import VOID
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, PrimValue
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import Adjoint, apply
from tvmscript.ir.relax.op.layout import literal_extents
from tvmscript.ir.relax.operator import Array, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, TensorStructInfo
from tvmscript.ir.tir import Expr, IntImm, cast


def _infer_cross_entropy(call: Call) -> TensorStructInfo:
    predictions, labels = rules.expect_tensor(call, 0), rules.expect_tensor(call, 1)
    dtype = rules.common_dtype(call, (0, 1), (predictions.dtype, labels.dtype))
    vdevice = rules.unify_vdevices(call, (predictions, labels))
    if UNKNOWN_NDIM not in (predictions.ndim, labels.ndim) and predictions.ndim != labels.ndim:
        raise invalid_argument(call, 1, f"a tensor of {predictions.ndim} dimensions", f"one of {labels.ndim}")
    first, second = literal_extents(predictions), literal_extents(labels)
    if first is not None and second is not None and rules.shapes_provably_differ(first, second):
        raise invalid_argument(
            call, 1, f"a tensor of shape {rules.format_extents(first)}", rules.format_extents(second)
        )
    return rules.tensor_of_shape((), dtype, vdevice)


def _infer_nll(call: Call) -> TensorStructInfo:
    """Infer from predictions (N, C, d1, ...) or (C), targets (N, d1, ...) or scalar, and weights (C)."""
    predictions, targets = rules.expect_tensor(call, 0), rules.expect_tensor(call, 1)
    weights = rules.expect_tensor(call, 2) if len(call.args) > 2 else None
    dtype, vdevice = predictions.dtype, predictions.vdevice
    if weights is not None:
        dtype = rules.common_dtype(call, (0, 2), (predictions.dtype, weights.dtype))
        vdevice = rules.unify_vdevices(call, (predictions, weights))
    if targets.dtype is not VOID and not targets.dtype.is_integer:
        raise invalid_argument(call, 1, "integers", targets.dtype)
    if call.attrs["reduction"] not in ("none", "mean", "sum"):
        raise invalid_argument(call, "reduction", "'none', 'mean' or 'sum'", repr(call.attrs["reduction"]))
    _check_ranks(call, predictions, targets, weights)
    scores = literal_extents(predictions)
    if scores is not None:
        _check_extents(
            call, scores, literal_extents(targets), literal_extents(weights) if weights is not None else None
        )
    if call.attrs["reduction"] != "none":
        return rules.tensor_of_shape((), dtype, vdevice)
    if scores is not None:
        return rules.tensor_of_shape((*scores[:1], *scores[2:]) if len(scores) > 1 else (), dtype, vdevice)
    return rules.tensor_of_ndim(
        UNKNOWN_NDIM if predictions.ndim == UNKNOWN_NDIM else predictions.ndim - 1, dtype, vdevice
    )


def _check_ranks(
    call: Call, predictions: TensorStructInfo, targets: TensorStructInfo, weights: TensorStructInfo | None
) -> None:
    rules.check_not_scalar(call, 0, predictions)
    if weights is not None and weights.ndim not in (UNKNOWN_NDIM, 1):
        raise invalid_argument(call, 2, "a tensor of 1 dimension", f"one of {weights.ndim}")
    if UNKNOWN_NDIM in (predictions.ndim, targets.ndim):
        return
    if max(predictions.ndim - 2, 0) != max(targets.ndim - 1, 0):
        raise invalid_argument(call, 1, f"a tensor of {predictions.ndim - 1} dimensions", f"one of {targets.ndim}")


def _check_extents(call: Call, scores: tuple[Expr, ...], targets: rules.Extents, weights: rules.Extents) -> None:
    classes = scores[min(1, len(scores) - 1)]
    if weights is not None and rules.provably_differ(weights[0], classes):
        raise invalid_argument(call, 2, f"{classes} weights, one for each class", weights[0])
    if targets is None:
        return
    expected: tuple[Expr, ...] = (scores[0], *scores[2:]) if len(scores) > 1 else ()
    if rules.shapes_provably_differ(expected, targets):
        raise invalid_argument(
            call, 1, f"a tensor of shape {rules.format_extents(expected)}", rules.format_extents(targets)
        )


def _compute_cross_entropy(np: ModuleType, predictions: Array, labels: Array) -> Array:
    """Compute as TVM's legalization: the negated sum of products, divided by the batch size if ndim > 1."""
    total = -(predictions * labels).sum()
    return np.asarray(total / predictions.shape[0] if predictions.ndim > 1 else total).astype(predictions.dtype)


def _compute_nll(np: ModuleType, predictions: Array, targets: Array, weights: Array = None, **attrs: object) -> Array:
    ignored, reduction = targets == attrs["ignore_index"], attrs["reduction"]
    scores = np.moveaxis(predictions, 1, -1) if predictions.ndim > 1 else predictions
    classes = scores.shape[-1]
    weights = np.ones(classes, predictions.dtype) if weights is None else weights
    inside = np.where(ignored, 0, targets)
    factor = np.where(ignored, 0, weights[inside])
    result = -np.take_along_axis(scores, inside[..., None], axis=-1)[..., 0] * factor
    if reduction == "none":
        return np.asarray(result).astype(predictions.dtype)
    total = result.sum() if reduction == "sum" else result.sum() / factor.sum()
    return np.asarray(total).astype(predictions.dtype)


def _legalize_nll(topi: Any, predictions: Any, targets: Any, *rest: Any) -> Any:
    *weights, reduction, ignore_index = rest
    weight = weights[0] if weights else topi.graph.ones_of_classes(predictions)
    return topi.nn.nll_loss(predictions, targets, weight, reduction, ignore_index)


def _differentiate_cross_entropy(adjoint: Adjoint) -> tuple[RelaxExpr, ...]:
    """Return the gradients of -sum(predictions * labels), divided by the batch size if ndim > 1."""
    gradient, extents = adjoint.gradient, adjoint.extents()
    if len(extents) > 1:
        batch = extents[0]
        dtype = rules.expect_tensor(adjoint.call).dtype
        count = adjoint.scalar(batch.value) if isinstance(batch, IntImm) else PrimValue(cast(dtype, batch))
        gradient = adjoint.emit(gradient / count)
    return -gradient * adjoint.y, -gradient * adjoint.x


cross_entropy_with_logits = Operator(
    "nn.cross_entropy_with_logits",
    "predictions: Expr, labels: Expr",
    _infer_cross_entropy,
    reference=_compute_cross_entropy,
    legalize=lambda topi, predictions, labels: topi.graph.cross_entropy_with_logits(predictions, labels),
    gradient=_differentiate_cross_entropy,
    doc="Cross entropy of log probabilities and labels, averaged over the batch.",
)
nll_loss = Operator(
    "nn.nll_loss",
    "predictions: Expr, targets: Expr, weights: Expr | None = None, reduction: str = 'mean', ignore_index: int = -100",
    _infer_nll,
    reference=_compute_nll,
    legalize=_legalize_nll,
    kernel_name=lambda call: "nll_loss" if len(call.args) > 2 else "nll_loss_without_weight",
    gradient=lambda a: (
        apply("grad.nll_loss_backward", a.gradient, *a.call.args, **a.call.attrs),
        *[None] * (len(a.call.args) - 1),
    ),
    doc="The negative log likelihood loss, weighted by class.",
)
