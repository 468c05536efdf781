"""Read TFLite models by the flatbuffer schema of the package ai-edge-litert. Nothing that a file holds is executed."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.optional import load_library

Array = npt.NDArray[Any]
_IDENTIFIER: Final = b"TFL3"
#: most elements of a tensor that keeps state
_MOST_STATE: Final = 1 << 24
#: types of elements that no tensor of a graph has
NO_TENSORS: Final = ("string", "resource", "variant")
#: what flatbuffers raises where a file is cut or offsets of it are wrong
_DAMAGED: Final = (struct.error, LookupError, ValueError, TypeError, OverflowError, AttributeError, MemoryError)


@dataclass(frozen=True)
class Quantization:
    """Numbers are scale * (integer - zero point), one pair for all or one for each element of an axis."""

    scales: Array
    zero_points: Array
    axis: int

    def broadcast(self, rank: int) -> tuple[Array, Array]:
        """Return the scales and zero points as floats, in a shape that broadcasts to tensors of a rank."""
        shape = [-1 if axis == self.axis else 1 for axis in range(rank)] if len(self.scales) > 1 else []
        return self.scales.reshape(shape), self.zero_points.astype(np.float32).reshape(shape)


@dataclass(frozen=True)
class TensorInfo:
    """A tensor of a graph; `data` of those that are constants, or state that begins as zeros."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    data: Array | None
    quantization: Quantization | None


@dataclass(frozen=True)
class OperatorInfo:
    """An operator of a graph: indices of tensors, -1 for inputs that are left out; options by their names."""

    name: str
    place: str
    inputs: Sequence[int]
    outputs: Sequence[int]
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Graph:
    """A graph of a model."""

    tensors: Sequence[TensorInfo]
    operators: Sequence[OperatorInfo]
    inputs: Sequence[int]
    outputs: Sequence[int]


def schema() -> Any:
    """Return the classes of the schema. Raises `MissingLibrary`."""
    return load_library("ai_edge_litert.schema_py_generated", "from_tflite")


@cache
def names_of(enumeration: str) -> dict[int, str]:
    """Return the names of the numbers of an enumeration of the schema."""
    members = vars(getattr(schema(), enumeration))
    return {number: name for name, number in members.items() if isinstance(number, int)}


def read_model(model: Any) -> list[Graph]:
    """Return the graphs of a model, the main one first: a path, bytes, or an object of the schema's classes.

    Raises `InvalidModel`.
    """
    if isinstance(model, (str, Path)):
        path = Path(model)
        if not path.is_file():
            raise InvalidModel(source="TFLite", place=str(path), reason="there is no such file")
        return _parse(path.read_bytes(), str(path))
    if isinstance(model, (bytes, bytearray, memoryview)):
        return _parse(bytes(model), "the model")
    table = getattr(model, "_tab", None)
    if table is not None:
        return _parse(bytes(table.Bytes), "the model")
    raise InvalidModel(
        source="TFLite", place=f"a {type(model).__name__}", reason="it is no path, bytes or tflite.Model"
    )


def _parse(content: bytes, place: str) -> list[Graph]:
    if content[4:8] != _IDENTIFIER:
        raise InvalidModel(source="TFLite", place=place, reason="it is damaged or no TFLite model")
    try:
        tables = schema().ModelT.InitFromPackedBuf(content, 0)
        return [_graph(tables, graph) for graph in tables.subgraphs]
    except InvalidModel:
        raise
    except _DAMAGED as error:
        raise InvalidModel(source="TFLite", place=place, reason=f"it is damaged: {error}") from error


def _graph(tables: Any, graph: Any) -> Graph:
    codes = [max(code.builtinCode, code.deprecatedBuiltinCode) for code in tables.operatorCodes]
    operators: list[OperatorInfo] = []
    for place, operator in enumerate(graph.operators):
        name = names_of("BuiltinOperator").get(codes[operator.opcodeIndex], str(codes[operator.opcodeIndex]))
        if name == "CUSTOM":
            name = f"CUSTOM {_text(tables.operatorCodes[operator.opcodeIndex].customCode)}"
        options = {**_fields(operator.builtinOptions), **_fields(operator.builtinOptions2)}
        inputs, outputs = _indices(operator.inputs), _indices(operator.outputs)
        operators.append(OperatorInfo(name, f"operator {place}, {name}", inputs, outputs, options))
    tensors = [_tensor(tensor, tables.buffers) for tensor in graph.tensors]
    result = Graph(tensors, operators, _indices(graph.inputs), _indices(graph.outputs))
    used = [index for operator in operators for index in (*operator.inputs, *operator.outputs)]
    if not all(-1 <= index < len(tensors) for index in (*used, *result.inputs, *result.outputs)):
        raise ValueError("an operator uses a tensor that does not exist")
    return result


def _fields(options: Any) -> dict[str, Any]:
    """Return the options that are there; those that the file leaves out are None in its table."""
    return {} if options is None else {name: value for name, value in vars(options).items() if value is not None}


def _indices(vector: Any) -> list[int]:
    return [] if vector is None else [int(index) for index in vector]


def _text(text: Any) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def _tensor(tensor: Any, buffers: Sequence[Any]) -> TensorInfo:
    shape = tuple(_indices(tensor.shape))
    dtype = names_of("TensorType")[tensor.type].lower()
    content = buffers[tensor.buffer].data
    data = None
    if content is not None and len(content):
        if dtype in NO_TENSORS:
            raise unsupported_elements(f"constant {_text(tensor.name)!r}", dtype)
        data = np.asarray(content, np.uint8).view(dtype).reshape(shape)
    quantization = _quantization(tensor.quantization)
    if tensor.isVariable and data is None:
        if prod(shape) > _MOST_STATE:
            raise ValueError(f"a state of {prod(shape)} elements is too large")
        zero = 0 if quantization is None else quantization.zero_points[0]
        data = np.full(shape, zero, dtype)
    return TensorInfo(_text(tensor.name), shape, dtype, data, quantization)


def unsupported_elements(place: str, dtype: str) -> InvalidModel:
    """Return the error for a tensor whose elements are no numbers."""
    return InvalidModel(source="TFLite", place=place, reason=f"elements of the type {dtype} are not supported")


def _quantization(table: Any) -> Quantization | None:
    if table is None or table.scale is None or not len(table.scale):
        return None
    scales = np.asarray(table.scale, np.float32)
    zero_points = np.zeros(len(scales), np.int64) if table.zeroPoint is None else np.asarray(table.zeroPoint, np.int64)
    return Quantization(scales, zero_points, int(table.quantizedDimension))
