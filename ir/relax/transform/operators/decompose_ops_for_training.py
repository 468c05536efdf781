"""DecomposeOpsForTraining: replace composite operators by plain ones, as training needs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvmscript.ir.core import IRModule, on
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Call, Constant, Tuple, TupleGetItem
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import shape_rules as rules
from tvmscript.ir.relax.op.adjoint import apply, scalar
from tvmscript.ir.relax.op.nn.norm import batch_norm, layer_norm
from tvmscript.ir.relax.op.value import tensor_to_shape
from tvmscript.ir.relax.rewrite import RelaxRewriter
from tvmscript.ir.relax.transform.base import RelaxFunctionPass
from tvmscript.ir.relax.transform.operators.decompose_ops_for_inference import (
    decompose_batch_norm,
    decompose_tensor_to_shape,
)


@dataclass(frozen=True)
class DecomposeOpsForTraining(RelaxFunctionPass):
    """Replace batch normalization by arithmetic with the mean and variance of the batch, which the moving ones move
    towards, layer normalization by arithmetic, and `R.tensor_to_shape` by a shape of size variables.

    Changes the function `func_name`, or all.
    """

    name = "relax.DecomposeOpsForTraining"
    is_exact = False
    func_name: str | None = None

    def transform(self, func: Function, mod: IRModule) -> Function:
        if self.func_name is not None and func is not mod[self.func_name]:
            return func
        with_batch: Function = _BatchStatistics().rewrite(func)
        decomposed: Function = _Decomposer().rewrite(with_batch)
        return decomposed


class _BatchStatistics(RelaxRewriter):
    """Rewriter of batch normalizations: to the mean and variance of the batch, and the moving ones updated."""

    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        if call.op is not batch_norm:
            return call
        data, gamma, beta, mean, variance = call.args
        info = rules.expect_tensor(call)
        axis = rules.normalize_axis(call, "axis", call.attrs["axis"], info.ndim)
        others = [other for other in range(info.ndim) if other != axis]
        momentum: float = call.attrs["momentum"]
        old, new = scalar(1 - momentum, info.dtype), scalar(momentum, info.dtype)
        batch = [self.builder.emit(apply(name, data, axis=others)) for name in ("mean", "variance")]
        normalized = call.replace(args=(data, gamma, beta, *batch), struct_info=None)
        values: list[Any] = [TupleGetItem(normalized, 0)]
        values += [_moved(old, moving, new, value) for moving, value in zip((mean, variance), batch, strict=True)]
        return Tuple(tuple(values))


def _moved(old: Constant, moving: object, new: Constant, value: object) -> Call:
    return apply("add", apply("multiply", old, moving), apply("multiply", new, value))


class _Decomposer(RelaxRewriter):
    @on(Call)
    def call(self, node: Call) -> RelaxExpr:
        call: Call = self.descend(node)
        if call.op is batch_norm:
            return decompose_batch_norm(call)
        if call.op is tensor_to_shape:
            return decompose_tensor_to_shape(self.builder, call)
        return _decompose_layer_norm(call) if call.op is layer_norm else call


def _decompose_layer_norm(call: Call) -> RelaxExpr:
    """Return (data - mean) / sqrt(variance + epsilon) * gamma + beta.

    J. Ba et al., "Layer Normalization", 2016.
    """
    data, gamma, beta = call.args
    info, axes = rules.expect_tensor(call), call.attrs["axes"]
    places = rules.normalize_axes(call, "axes", axes, info.ndim)
    others = [axis for axis in range(info.ndim) if axis not in places]
    is_last = list(places) == list(range(info.ndim - len(places), info.ndim))

    def spread(value: Any) -> Any:
        return value if is_last else apply("expand_dims", value, axis=others)

    centered = apply("subtract", data, apply("mean", data, axis=axes, keepdims=True))
    variance = apply("variance", data, axis=axes, keepdims=True)
    epsilon = scalar(call.attrs["epsilon"], info.dtype)
    result = apply("divide", centered, apply("sqrt", apply("add", variance, epsilon)))
    if call.attrs["scale"]:
        result = apply("multiply", result, spread(gamma))
    if call.attrs["center"]:
        result = apply("add", result, spread(beta))
    return result
