"""Operators of gradient computation, `R.grad`."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, Var
from tvmscript.ir.relax.op.adjoint import NO_GRADIENT
from tvmscript.ir.relax.op.nn.pool import ATTRIBUTE_ORDER, pool_signature
from tvmscript.ir.relax.op.shape_rules import struct_info_of
from tvmscript.ir.relax.operator import Array, Legalize, Operator, invalid_argument
from tvmscript.ir.relax.struct_info import ObjectStructInfo


def _infer_same_or_object(call: Call) -> StructInfo:
    return struct_info_of(call, 0) or ObjectStructInfo()


def _infer_same_variable(call: Call) -> StructInfo:
    if not isinstance(call.args[0], Var):
        raise invalid_argument(call, 0, "a variable", "another expression")
    return _infer_same_or_object(call)


def _infer_same_as_second(call: Call) -> StructInfo:
    """Infer the struct info of the second argument, with respect to which the gradient is taken."""
    return struct_info_of(call, 1) or ObjectStructInfo()


def _compute_take(np: ModuleType, gradient: Array, x: Array, indices: Array, axis: int | None, mode: str = "") -> Array:
    result = np.zeros_like(x)
    flat = result if axis is not None else result.reshape(-1)
    at = 0 if axis is None else axis % x.ndim
    np.add.at(flat, (*[slice(None)] * at, indices), gradient)
    return result


def _legalize_nll_backward(topi: Any, gradient: Any, predictions: Any, targets: Any, *rest: Any) -> Any:
    *weights, reduction, ignore_index = rest
    weight = weights[0] if weights else topi.graph.ones_of_classes(predictions)
    return topi.graph.nll_loss_backward(gradient, predictions, targets, weight, reduction, ignore_index)


def _legalize_pool_backward(kind: str) -> Legalize:
    """Return the legalization of the gradient of windows of a kind, "max" or "avg"."""

    def legalize(
        topi: Any,
        gradient: Any,
        data: Any,
        pool_size: Any,
        strides: Any,
        dilation: tuple[int, ...],
        padding: Any,
        ceil_mode: bool,
        count_include_pad: bool,
        layout: str,
        out_layout: str,
    ) -> Any:
        if out_layout != layout or any(step != 1 for step in dilation):
            return NotImplemented
        options = (kind, ceil_mode, count_include_pad, layout)
        return topi.nn.pool_grad(gradient, data, pool_size, strides, padding, *options)

    return legalize


no_grad = Operator(
    "grad.no_grad",
    "input: Expr",
    _infer_same_or_object,
    reference=lambda np, x: x,
    expand=lambda _, call: call.args[0],
    gradient=NO_GRADIENT,
    doc="The value, without a gradient.",
)
start_checkpoint = Operator(
    "grad.start_checkpoint",
    "input: Expr",
    _infer_same_variable,
    reference=lambda np, x: x,
    expand=lambda _, call: call.args[0],
    doc="Mark the start of a checkpointed region, which is recomputed for the gradient.",
)
end_checkpoint = Operator(
    "grad.end_checkpoint",
    "input: Expr",
    _infer_same_variable,
    reference=lambda np, x: x,
    expand=lambda _, call: call.args[0],
    doc="Mark the end of a checkpointed region.",
)
nll_loss_backward = Operator(
    "grad.nll_loss_backward",
    "output_grad: Expr, predictions: Expr, targets: Expr, weights: Expr | None = None, reduction: str = 'mean', "
    "ignore_index: int = -100",
    _infer_same_as_second,
    legalize=_legalize_nll_backward,
    kernel_name=lambda call: "nll_loss_backward" if len(call.args) > 3 else "te_nll_loss_backward_no_weight",
    doc="The gradient of `nn.nll_loss` with respect to the predictions.",
)
max_pool2d_backward = Operator(
    "grad.max_pool2d_backward",
    pool_signature(2, 4, "output_grad: Expr, data: Expr"),
    _infer_same_as_second,
    attribute_order=ATTRIBUTE_ORDER,
    legalize=_legalize_pool_backward("max"),
    doc="The gradient of `nn.max_pool2d` with respect to the data.",
)
avg_pool2d_backward = Operator(
    "grad.avg_pool2d_backward",
    pool_signature(2, 4, "output_grad: Expr, data: Expr"),
    _infer_same_as_second,
    attribute_order=ATTRIBUTE_ORDER,
    legalize=_legalize_pool_backward("avg"),
    doc="The gradient of `nn.avg_pool2d` with respect to the data.",
)
take_backward = Operator(
    "grad.take_backward",
    "output_grad: Expr, x: Expr, indices: Expr, axis: int | None = None",
    _infer_same_as_second,
    v0_27_parameters="mode: str = ''",
    reference=_compute_take,
    legalize=lambda topi, gradient, x, indices, axis, mode: topi.graph.take_backward(gradient, x, indices, axis),
    doc="The gradient of `take` with respect to the data.",
)
