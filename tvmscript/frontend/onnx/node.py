"""A node of an ONNX graph with the values of its inputs, as converters of operators see it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

import numpy as np

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.onnx.errors import UnknownInput
from tvmscript.frontend.onnx.values import Array, Known, Size, TensorSequence, Value, array_of, as_size, tensor_of
from tvmscript.ir.relax.base import RelaxExpr

#: most elements of an array that the importer computes
_MOST_ELEMENTS: Final = 1 << 28


@dataclass
class Node:
    """One use of an operator."""

    op_type: str
    name: str
    domain: str
    #: of the opset of its domain
    version: int
    inputs: tuple[Value, ...]
    input_names: tuple[str, ...]
    output_names: tuple[str, ...]
    attrs: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def place(self) -> str:
        """The node in words, for messages."""
        return f"{self.op_type} node {self.name!r}" if self.name else f"{self.op_type} node"

    def invalid(self, reason: str) -> InvalidModel:
        """Return the error for this node."""
        return InvalidModel(source="ONNX", place=self.place, reason=reason)

    # ---- inputs

    def has(self, index: int) -> bool:
        """Whether an optional input is given."""
        return index < len(self.inputs) and self.inputs[index] is not None

    def value(self, index: int) -> Value:
        """Return an input, None where it is not given."""
        return self.inputs[index] if index < len(self.inputs) else None

    def tensor(self, index: int) -> RelaxExpr:
        """Return an input that is a tensor. Raises `InvalidModel`."""
        value = self.value(index)
        if value is None or isinstance(value, TensorSequence):
            raise self.invalid(f"its input {index} is {'missing' if value is None else 'a sequence'}, not a tensor")
        return tensor_of(value)

    def optional(self, index: int) -> RelaxExpr | None:
        """Return an input that is a tensor, None where it is not given."""
        return self.tensor(index) if self.has(index) else None

    def tensors(self) -> list[RelaxExpr]:
        """Return all inputs, which are tensors."""
        return [self.tensor(index) for index in range(len(self.inputs))]

    def sequence(self, index: int) -> TensorSequence:
        """Return an input that is a sequence. Raises `InvalidModel`."""
        value = self.value(index)
        if not isinstance(value, TensorSequence):
            raise self.invalid(f"its input {index} is no sequence")
        return value

    def array(self, index: int) -> Array | None:
        """Return the elements of an input, None where they are not known at import or it is not given."""
        return array_of(self.value(index)) if self.has(index) else None

    def known(self, index: int, name: str) -> Array:
        """Return the elements of an input. Raises `UnknownInput`."""
        array = self.array(index)
        if array is None:
            raise UnknownInput(place=self.place, name=name)
        return array

    def constant(self, index: int, name: str) -> Array:
        """Return the elements of an input, which are numbers. Raises `UnknownInput`."""
        array = self.known(index, name)
        if array.dtype == object:
            raise UnknownInput(place=self.place, name=name)
        return array

    def numbers(self, index: int, name: str) -> list[Any]:
        """Return the elements of an input as numbers of Python. Raises `UnknownInput`."""
        return self.constant(index, name).reshape(-1).tolist()

    def static(self, sizes: Iterable[Size], name: str) -> list[int]:
        """Return sizes that are numbers. Raises `UnknownInput` for symbolic ones, `InvalidModel` for huge ones."""
        numbers = list(sizes)
        constants = [size for size in numbers if isinstance(size, int)]
        if len(constants) < len(numbers):
            raise UnknownInput(place=self.place, name=name)
        if prod(constants) > _MOST_ELEMENTS:
            raise self.invalid(f"{name} has {prod(constants):,} elements, which are too many to compute at import")
        return constants

    def sizes(self, index: int, name: str) -> list[Size]:
        """Return the elements of an input, which are sizes. Raises `UnknownInput`."""
        return [as_size(size) for size in self.known(index, name).reshape(-1)]

    def ints_or(self, index: int, name: str) -> list[int] | None:
        """Return integers that are an attribute in old opsets and an input in new ones; None where they are absent."""
        if name in self.attrs:
            return self.integers(name)
        if not self.has(index):
            return None
        return [int(number) for number in self.numbers(index, name)]

    # ---- attributes

    def integer(self, name: str, default: int | None = None) -> int:
        """Return an attribute. Raises `InvalidModel` where it is absent without a default, or no number."""
        return int(self._number(name, default))

    def number(self, name: str, default: float | None = None) -> float:
        """Return an attribute as the shortest decimal of its float32 value."""
        return float(str(np.float32(self._number(name, default))))

    def text(self, name: str, default: str | None = None) -> str:
        """Return an attribute."""
        value = self._attr(name, default)
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def integers(self, name: str, default: Sequence[int] | None = None) -> list[int]:
        """Return an attribute."""
        return [int(number) for number in self._numbers(name, default)]

    def reals(self, name: str, default: Sequence[float] | None = None) -> list[float]:
        """Return an attribute."""
        return [float(str(np.float32(number))) for number in self._numbers(name, default)]

    def graph(self, name: str) -> Any:
        """Return an attribute that is a graph. Raises `InvalidModel`."""
        graph = self._attr(name, None)
        if not hasattr(graph, "node"):
            raise self.invalid(f"its attribute {name} is no graph")
        return graph

    def _number(self, name: str, default: float | None) -> float:
        value = self._attr(name, default)
        if not isinstance(value, (int, float)):
            raise self.invalid(f"its attribute {name} is no number")
        return value

    def _numbers(self, name: str, default: Sequence[float] | None) -> Sequence[float]:
        values = self._attr(name, default)
        if not isinstance(values, (list, tuple, range)) or not all(isinstance(value, (int, float)) for value in values):
            raise self.invalid(f"its attribute {name} is no list of numbers")
        return values

    def _attr(self, name: str, default: Any) -> Any:
        value = self.attrs.get(name, default)
        if value is None:
            raise self.invalid(f"it has no attribute {name}")
        return value

    def axis(self, value: int, rank: int) -> int:
        """Return an axis counted from the front. Raises `InvalidModel`."""
        if not -rank <= value < max(rank, 1):
            raise self.invalid(f"the axis {value} is none of {rank} dimensions")
        return value % rank if rank else 0


def is_known(value: Value) -> bool:
    """Whether a value is computed at import."""
    return isinstance(value, Known) or array_of(value) is not None
