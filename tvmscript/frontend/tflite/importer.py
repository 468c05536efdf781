"""`from_tflite`: import a TFLite model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.tflite.operators import OPERATORS
from tvmscript.frontend.tflite.operators.folding import FOLDED_ELEMENTS, FOLDERS
from tvmscript.frontend.tflite.operators.table import AS_IS
from tvmscript.frontend.tflite.read_model import (
    NO_TENSORS,
    Graph,
    OperatorInfo,
    TensorInfo,
    read_model,
    unsupported_elements,
)
from tvmscript.frontend.tflite.values import Node, Value, Variable, as_tensor, dequantized, quantized
from tvmscript.ir.core import IRModule, TVMScriptError
from tvmscript.ir.core.python_settings import MAX_NESTING, deep_recursion
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Tuple, Var
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo

#: largest array that is computed when the model is imported
#: operators that are converted, those of graphs inside of the main one each time
_MOST_OPERATORS: Final = 100_000
#: operator -> options that are graphs which it runs
_GRAPHS_OF: Final = {
    "IF": ("thenSubgraphIndex", "elseSubgraphIndex"),
    "WHILE": ("condSubgraphIndex", "bodySubgraphIndex"),
    "CALL_ONCE": ("initSubgraphIndex",),
}
#: what converters raise on inputs and options that an operator cannot have
_MALFORMED: Final = (ArithmeticError, LookupError, ValueError, TVMScriptError)


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
    graphs = read_model(model)
    if not graphs:
        raise InvalidModel(source="TFLite", place="the model", reason="it has no graph")
    used = [(operator.name, operator.place) for operator in _reachable_operators(graphs)]
    UnsupportedOperators.check("TFLite", [(name, place) for name, place in used if name not in OPERATORS])
    return _Importer(graphs).run_main(shape_dict or {}, dtype_dict or {})


def _reachable_operators(graphs: Sequence[Graph]) -> Iterator[OperatorInfo]:
    """Return the operators of the main graph and of those that it runs, graph by graph."""
    order = [0]
    for index in order:
        for operator in graphs[index].operators:
            yield operator
            for name in _GRAPHS_OF.get(operator.name, ()):
                other = int(operator.options.get(name, -1))
                if other not in order and 0 <= other < len(graphs):
                    order.append(other)


def _param(tensor: TensorInfo, shape_dict: Mapping[str, Sequence[int]], dtype_dict: Mapping[str, str] | str) -> Var:
    if tensor.dtype in NO_TENSORS:
        raise unsupported_elements(f"input {tensor.name!r}", tensor.dtype)
    shape = tuple(shape_dict.get(tensor.name, tensor.shape))
    dtype = dtype_dict if isinstance(dtype_dict, str) else dtype_dict.get(tensor.name, tensor.dtype)
    name = "".join(letter if letter.isalnum() else "_" for letter in tensor.name)
    return Var(name if name.isidentifier() else f"input_{name}", TensorStructInfo(ShapeExpr(shape), dtype))


@dataclass(frozen=True)
class _Frame:
    """A graph while it is converted."""

    graph: Graph
    #: index of a tensor -> its value
    values: dict[int, Value]

    def value(self, index: int, place: str) -> Value:
        """Return the value of a tensor. Raises `InvalidModel`."""
        if index not in self.values:
            reason = f"tensor {index} is used before it is computed: there is a cycle, or an operator is missing"
            raise InvalidModel(source="TFLite", place=place, reason=reason)
        return self.values[index]


class _Importer:
    """The import of a model."""

    def __init__(self, graphs: Sequence[Graph]) -> None:
        self.graphs = graphs
        self.builder = BlockBuilder()
        self.variables: dict[str, Value] = {}
        self.is_initializing = False
        #: indices of the graphs that are being converted
        self._active: list[int] = []
        self._num_converted = 0

    def run_main(self, shape_dict: Mapping[str, Sequence[int]], dtype_dict: Mapping[str, str] | str) -> IRModule:
        """Return the module."""
        main = self.graphs[0]
        params = [_param(main.tensors[index], shape_dict, dtype_dict) for index in main.inputs]
        has_branches = any(operator.name in ("IF", "WHILE") for operator in _reachable_operators(self.graphs))
        with self.builder.function("main", params):
            if has_branches:
                self.builder.emit_func_output(self._results_of_main(params))
            else:
                with self.builder.dataflow():
                    output = self.builder.emit_output(self._results_of_main(params))
                self.builder.emit_func_output(output)
        return self.builder.get()

    def _results_of_main(self, params: Sequence[Var]) -> RelaxExpr:
        results: list[RelaxExpr] = []
        for value in self.run(0, params):
            if value is None or isinstance(value, Variable):
                raise InvalidModel(source="TFLite", place="the outputs", reason="a variable is no result")
            results.append(as_tensor(value))
        return results[0] if len(results) == 1 else Tuple(tuple(results))

    def run(self, index: int, arguments: Sequence[Value]) -> list[Value]:
        """Convert the operators of a graph in place, and return its results. Raises `InvalidModel`."""
        place = f"graph {index}"
        if not 0 <= index < len(self.graphs):
            raise InvalidModel(source="TFLite", place=place, reason="there is no such graph")
        if index in self._active:
            raise InvalidModel(source="TFLite", place=place, reason="it runs itself")
        if len(self._active) > MAX_NESTING:
            raise InvalidModel(source="TFLite", place=place, reason="graphs run each other too deep")
        graph = self.graphs[index]
        if len(arguments) != len(graph.inputs):
            reason = f"it takes {len(graph.inputs)} inputs, but is given {len(arguments)}"
            raise InvalidModel(source="TFLite", place=place, reason=reason)
        values: dict[int, Value] = {
            number: tensor.data for number, tensor in enumerate(graph.tensors) if tensor.data is not None
        }
        values.update(zip(graph.inputs, arguments, strict=True))
        frame = _Frame(graph, values)
        self._active.append(index)
        for operator in graph.operators:
            self._convert(frame, operator)
        self._active.pop()
        return [frame.value(number, "the outputs") for number in graph.outputs]

    def _convert(self, frame: _Frame, operator: OperatorInfo) -> None:
        """Convert an operator. Raises `InvalidModel`."""
        self._num_converted += 1
        if self._num_converted > _MOST_OPERATORS:
            reason = f"the graphs that are run have more than {_MOST_OPERATORS:,} operators in all"
            raise InvalidModel(source="TFLite", place=operator.place, reason=reason)
        inputs = [None if index == -1 else frame.value(index, operator.place) for index in operator.inputs]
        tensors = frame.graph.tensors
        outputs = [tensors[index] for index in operator.outputs]
        for tensor in outputs:
            if tensor.dtype in NO_TENSORS and operator.name != "VAR_HANDLE":
                raise unsupported_elements(operator.place, tensor.dtype)
        is_quantized = operator.name not in AS_IS
        sources = [None if index == -1 else tensors[index].quantization for index in operator.inputs]
        try:
            if is_quantized:
                numbers = zip(inputs, operator.inputs, strict=True)
                inputs = [self._dequantize(value, tensors[index]) for value, index in numbers]
            node = Node(operator.name, operator.place, inputs, sources, operator.options, outputs, self)
            results = self._results(node)
            for index, result in zip(operator.outputs, results, strict=True):
                frame.values[index] = self._bind(result, tensors[index], is_quantized)
        except InvalidModel:
            raise
        except _MALFORMED as error:
            text = error.text if isinstance(error, TVMScriptError) else str(error)
            reason = f"it is not well formed: {text or type(error).__name__}"
            raise InvalidModel(source="TFLite", place=operator.place, reason=reason) from error

    def _results(self, node: Node) -> Sequence[Value]:
        if node.name in FOLDERS:
            folded = FOLDERS[node.name](node)
            if folded is not None and folded.size <= FOLDED_ELEMENTS:
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
        if value is None or isinstance(value, Variable) or quantization is None or tensor.dtype == "float32":
            return value
        if isinstance(value, RelaxExpr):
            return self.builder.emit(dequantized(value, quantization))
        scales, zero_points = quantization.broadcast(value.ndim)
        return (value.astype(np.float32) - zero_points) * scales
