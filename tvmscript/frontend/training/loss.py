"""Losses: functions of graphs of predictions and targets, as TVM builds them.

loss = CrossEntropyLoss("sum")(predictions, targets)  # a function named cross_entropy_loss
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from tvmscript.ir.core import UnknownName, closest
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.op import binary, statistical, unary
from tvmscript.ir.relax.op.nn import activation, loss
from tvmscript.ir.relax.op.script_functions import script_function_of

multiply, subtract, absolute, log_softmax, nll_loss = map(
    script_function_of, (binary.multiply, binary.subtract, unary.abs, activation.log_softmax, loss.nll_loss)
)

Reduction: TypeAlias = Literal["mean", "sum", "none"]

_REDUCTIONS: Final[dict[str, Callable[[RelaxExpr], RelaxExpr]]] = {
    "mean": script_function_of(statistical.mean),
    "sum": script_function_of(statistical.sum),
    "none": lambda value: value,
}


class Loss:
    """Base of losses. `num_backbone_outputs` is the number of predictions."""

    def __init__(self, loss_name: str, num_backbone_outputs: int, reduction: Reduction = "mean") -> None:
        if reduction not in _REDUCTIONS:
            hint = closest(reduction, _REDUCTIONS)
            raise UnknownName(kind="reduction", name=reduction, hint=hint)
        self._loss_name = loss_name
        self._reduction = reduction
        self._num_backbone_outputs = num_backbone_outputs

    @property
    def num_backbone_outputs(self) -> int:
        """The number of outputs of the model that the loss takes first."""
        return self._num_backbone_outputs

    def _function(self, params: list[Var], value: Callable[[BlockBuilder], RelaxExpr]) -> Function:
        """Return the function of the parameters that computes a value."""
        builder = BlockBuilder()
        with builder.function(self._loss_name, params):
            with builder.dataflow():
                output = builder.emit_output(value(builder))
            builder.emit_func_output(output)
        func = builder.get()[self._loss_name]
        assert isinstance(func, Function)
        return func

    def _reduce(self, value: RelaxExpr) -> RelaxExpr:
        return _REDUCTIONS[self._reduction](value)


def _param(operand: Var | StructInfo, name: str) -> Var:
    return operand if isinstance(operand, Var) else Var(name, operand)


class L1Loss(Loss):
    """The absolute differences of predictions and targets."""

    def __init__(self, reduction: Reduction = "mean") -> None:
        super().__init__("l1_loss", 1, reduction)

    def __call__(self, predictions: Var | StructInfo, targets: Var | StructInfo) -> Function:
        """Return the function."""
        params = [_param(predictions, "predictions"), _param(targets, "targets")]
        return self._function(params, lambda builder: self._reduce(absolute(subtract(*params))))


class MSELoss(Loss):
    """The squared differences of predictions and targets."""

    def __init__(self, reduction: Reduction = "mean") -> None:
        super().__init__("mse_loss", 1, reduction)

    def __call__(self, predictions: Var | StructInfo, targets: Var | StructInfo) -> Function:
        """Return the function."""
        params = [_param(predictions, "predictions"), _param(targets, "targets")]

        def squares(builder: BlockBuilder) -> RelaxExpr:
            difference = builder.emit(subtract(*params))
            return self._reduce(multiply(difference, difference))

        return self._function(params, squares)


class CrossEntropyLoss(Loss):
    """The negative logarithms of the probabilities of the target classes, which are numbers."""

    def __init__(self, reduction: Reduction = "mean", ignore_index: int = -100) -> None:
        super().__init__("cross_entropy_loss", 1, reduction)
        self.ignore_index = ignore_index

    def __call__(
        self, predictions: Var | StructInfo, targets: Var | StructInfo, weights: Var | StructInfo | None = None
    ) -> Function:
        """Return the function."""
        params = [_param(predictions, "predictions"), _param(targets, "targets")]
        if weights is not None:
            params.append(_param(weights, "weights"))

        def entropies(builder: BlockBuilder) -> RelaxExpr:
            logits = builder.emit(log_softmax(params[0]))
            return nll_loss(logits, *params[1:], reduction=self._reduction, ignore_index=self.ignore_index)

        return self._function(params, entropies)
