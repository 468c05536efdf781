"""`from_tflite`: import a TFLite model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.tflite.operators import OPERATORS
from tvmscript.frontend.tflite.operators.folding import FOLDERS
from tvmscript.frontend.tflite.operators.table import AS_IS
from tvmscript.frontend.tflite.read_model import Graph, TensorInfo, read_model
from tvmscript.frontend.tflite.values import Node, Value, as_tensor, dequantized, quantized
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.core.recursion import deep_recursion
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Tuple, Var
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo

#: largest array that is computed when the model is imported
_FOLDED_ELEMENTS: Final = 4096
#: what converters raise on inputs and options that an operator cannot have
_MALFORMED: Final = (AssertionError, LookupError, TypeError, ValueError, TVMScriptError)


@deep_recursion
def from_tflite(
    model: str | Path | bytes | object,
    shape_dict: Mapping[str, Sequence[int]] | None = None,
    dtype_dict: Mapping[str, str] | str | None = None,
) -> IRModule:
    """Return the module of a TFLite model, with the function `main`.

    The model is a path, its bytes, or `tflite.Model`. `shape_dict` and `dtype_dict` give inputs other shapes and dtypes
    than the model. Quantized tensors are integers at the edges of an operator, which computes in float32 in between.
    Needs the package ai-edge-litert. Raises `MissingLibrary`, `UnsupportedOperators`, `InvalidModel`.
    """
    graph = read_model(model)
    places: dict[str, list[str]] = {}
    for operator in graph.operators:
        if operator.name not in OPERATORS:
            places.setdefault(operator.name, []).append(operator.place)
    if places:
        raise UnsupportedOperators.of("TFLite", places)
    return _Importer(graph, shape_dict or {}, dtype_dict or {}).run()


class _Importer:
    """The import of a graph."""

    def __init__(
        self, graph: Graph, shape_dict: Mapping[str, Sequence[int]], dtype_dict: Mapping[str, str] | str
    ) -> None:
        self.graph = graph
        self.builder = BlockBuilder()
        self.params = [self._param(graph.tensors[index], shape_dict, dtype_dict) for index in graph.inputs]
        #: index of a tensor -> its value
        self.values: dict[int, Value] = {
            index: tensor.data for index, tensor in enumerate(graph.tensors) if tensor.data is not None
        }
        self.values.update(zip(graph.inputs, self.params, strict=True))

    def _param(
        self, tensor: TensorInfo, shape_dict: Mapping[str, Sequence[int]], dtype_dict: Mapping[str, str] | str
    ) -> Var:
        shape = tuple(shape_dict.get(tensor.name, tensor.shape))
        dtype = dtype_dict if isinstance(dtype_dict, str) else dtype_dict.get(tensor.name, tensor.dtype)
        name = "".join(letter if letter.isalnum() else "_" for letter in tensor.name)
        return Var(name if name.isidentifier() else f"input_{name}", TensorStructInfo(ShapeExpr(shape), dtype))

    def run(self) -> IRModule:
        """Return the module."""
        with self.builder.function("main", self.params):
            with self.builder.dataflow():
                for place in range(len(self.graph.operators)):
                    self._convert(place)
                results = [as_tensor(self._value(index, "the outputs")) for index in self.graph.outputs]
                output = self.builder.emit_output(results[0] if len(results) == 1 else Tuple(tuple(results)))
            self.builder.emit_func_output(output)
        return self.builder.get()

    def _value(self, index: int, place: str) -> Any:
        if index not in self.values:
            reason = f"tensor {index} is used before it is computed: there is a cycle, or an operator is missing"
            raise InvalidModel(source="TFLite", place=place, reason=reason)
        return self.values[index]

    def _convert(self, place: int) -> None:
        """Convert an operator. Raises `InvalidModel`."""
        operator = self.graph.operators[place]
        inputs = [None if index == -1 else self._value(index, operator.place) for index in operator.inputs]
        tensors, outputs = self.graph.tensors, [self.graph.tensors[index] for index in operator.outputs]
        is_quantized = operator.name not in AS_IS
        if is_quantized:
            inputs = [
                self._dequantize(value, tensors[index]) for value, index in zip(inputs, operator.inputs, strict=True)
            ]
        sources = [None if index == -1 else tensors[index].quantization for index in operator.inputs]
        node = Node(operator.name, operator.place, inputs, sources, operator.options, outputs)
        try:
            results = self._results(node)
            for index, result in zip(operator.outputs, results, strict=True):
                self.values[index] = self._bind(result, tensors[index], is_quantized)
        except InvalidModel:
            raise
        except _MALFORMED as error:
            text = error.text if isinstance(error, TVMScriptError) else str(error)
            reason = f"it is not well formed: {text or type(error).__name__}"
            raise InvalidModel(source="TFLite", place=operator.place, reason=reason) from error

    def _results(self, node: Node) -> Sequence[Value]:
        if node.name in FOLDERS:
            folded = FOLDERS[node.name](node)
            if folded is not None and folded.size <= _FOLDED_ELEMENTS:
                return [folded]
        converted = OPERATORS[node.name](node)
        return converted if isinstance(converted, list) else [converted]

    def _bind(self, value: Value, tensor: TensorInfo, is_quantized: bool) -> Value:
        """Bind the result of an operator to a variable."""
        if not isinstance(value, RelaxExpr):
            return value
        quantization = tensor.quantization
        if is_quantized and quantization is not None and tensor.dtype != "float32":
            value = quantized(self.builder.emit(value), quantization, tensor.dtype)
        return self.builder.emit(value)

    def _dequantize(self, value: Value, tensor: TensorInfo) -> Value:
        quantization = tensor.quantization
        if value is None or quantization is None or tensor.dtype == "float32":
            return value
        if isinstance(value, RelaxExpr):
            return self.builder.emit(dequantized(value, quantization))
        scales, zero_points = quantization.broadcast(value.ndim)
        return (value.astype(np.float32) - zero_points) * scales
