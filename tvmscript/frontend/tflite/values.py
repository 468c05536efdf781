"""What a tensor stands for while a model is imported: a constant array, or a value of the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.tensor_info import dtype_of, shape_of
from tvmscript.frontend.tflite.read_model import Quantization, TensorInfo
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.language import R

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Variable:
    """A variable of the model, which graphs name by handles."""

    name: str


#: a constant array, a value of the graph, a variable, or an input that is left out
Value = Array | RelaxExpr | Variable | None


def as_tensor(value: Array | RelaxExpr) -> RelaxExpr:
    """Return a value of the graph: a constant for an array."""
    return R.const(np.ascontiguousarray(value).reshape(value.shape)) if isinstance(value, np.ndarray) else value


def scalar(value: float, like: RelaxExpr) -> RelaxExpr:
    """Return a constant of the dtype of a tensor."""
    constant: RelaxExpr = R.const(value, dtype_of(like))
    return constant


def dequantized(x: RelaxExpr, quantization: Quantization) -> RelaxExpr:
    """Return the numbers that integers stand for."""
    scales, zero_points = map(R.const, quantization.broadcast(len(shape_of(x))))
    return R.multiply(R.subtract(R.astype(x, "float32"), zero_points), scales)


def quantized(x: RelaxExpr, quantization: Quantization, dtype: str) -> RelaxExpr:
    """Return the integers that stand for numbers; halves are rounded away from zero."""
    scales, zero_points = map(R.const, quantization.broadcast(len(shape_of(x))))
    steps = R.add(R.round(R.divide(x, scales)), zero_points)
    limits = np.iinfo(dtype)
    return R.astype(R.clip(steps, float(limits.min), float(limits.max)), dtype)


class Graphs(Protocol):
    """What operators need of the import: the other graphs of the model."""

    builder: BlockBuilder
    #: name -> value of a variable
    variables: dict[str, Value]
    #: whether the graph that sets variables is imported
    is_initializing: bool

    def run(self, index: int, arguments: Sequence[Value]) -> list[Value]:
        """Convert the operators of a graph in place, and return its results."""
        ...


@dataclass(frozen=True)
class Node:
    """An operator with its inputs."""

    name: str
    place: str
    inputs: Sequence[Value]
    #: scales of inputs that are quantized
    sources: Sequence[Quantization | None]
    options: Mapping[str, Any]
    outputs: Sequence[TensorInfo]
    graphs: Graphs

    def emit(self, value: RelaxExpr) -> RelaxExpr:
        """Bind a value that is used several times."""
        return self.graphs.builder.emit(value)

    def invalid(self, reason: str) -> NoReturn:
        """Raise `InvalidModel`."""
        raise InvalidModel(source="TFLite", place=self.place, reason=reason)

    def has(self, index: int) -> bool:
        """Return whether an input is given."""
        return index < len(self.inputs) and self.inputs[index] is not None

    def tensor(self, index: int) -> RelaxExpr:
        """Return an input as a value of the graph. Raises `InvalidModel`."""
        value = self.inputs[index] if index < len(self.inputs) else None
        if value is None:
            self.invalid(f"it has no input {index}")
        if isinstance(value, Variable):
            self.invalid(f"its input {index} is a variable")
        return as_tensor(value)

    def variable(self, index: int) -> Variable:
        """Return an input that is a variable. Raises `InvalidModel`."""
        value = self.inputs[index] if index < len(self.inputs) else None
        return value if isinstance(value, Variable) else self.invalid(f"its input {index} is no variable")

    def tensors(self) -> list[RelaxExpr]:
        """Return all inputs as values of the graph."""
        return [self.tensor(index) for index in range(len(self.inputs))]

    def constant(self, index: int) -> Array:
        """Return an input that is constant. Raises `InvalidModel`."""
        value = self.inputs[index] if index < len(self.inputs) else None
        if not isinstance(value, np.ndarray):
            self.invalid(f"its input {index} is known at run time only")
        return value

    def integers(self, index: int) -> list[int]:
        """Return an input of constant integers. Raises `InvalidModel`."""
        return [int(number) for number in self.constant(index).reshape(-1)]

    def option(self, name: str, default: Any = 0) -> Any:
        """Return an option."""
        return self.options.get(name, default)
