"""Write TFLite models by the flatbuffer schema, and run them with Google's interpreter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.relax.frontend.tflite import from_tflite

schema: Any = pytest.importorskip("ai_edge_litert.schema_py_generated", reason="ai-edge-litert is an optional library")
litert: Any = pytest.importorskip("ai_edge_litert.interpreter", reason="ai-edge-litert is an optional library")
flatbuffers: Any = pytest.importorskip("flatbuffers", reason="ai-edge-litert needs it")


@dataclass(frozen=True)
class Scale:
    """Scale and zero point of a tensor; several for an axis."""

    scale: float | Sequence[float]
    zero_point: int = 0
    axis: int = 0


@dataclass(frozen=True)
class Call:
    """An operator: names of tensors, and the options of its table in the schema."""

    name: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    table: str = ""
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


def _tensor(name: str, array: Any, buffer: int, scale: Scale | None) -> Any:
    tensor = schema.TensorT()
    tensor.name, tensor.shape, tensor.buffer = name, list(array.shape), buffer
    kind = "STRING" if array.dtype.kind == "U" else str(array.dtype).upper()
    tensor.type = getattr(schema.TensorType, kind, schema.TensorType.RESOURCE)
    if scale is not None:
        tensor.quantization = schema.QuantizationParametersT()
        scales = np.atleast_1d(np.array(scale.scale, "float32"))
        tensor.quantization.scale = scales
        tensor.quantization.zeroPoint = np.full(len(scales), scale.zero_point, "int64")
        tensor.quantization.quantizedDimension = scale.axis
    return tensor


@dataclass(frozen=True)
class Graph:
    """A graph. `dtypes` has the results of all operators; those that nothing uses are outputs of the graph."""

    calls: Sequence[Call]
    inputs: Mapping[str, Any]
    constants: Mapping[str, Any]
    dtypes: Mapping[str, str]
    scales: Mapping[str, Scale] = field(default_factory=dict[str, Scale])
    #: tensors that keep their values from call to call
    states: Mapping[str, Any] = field(default_factory=dict[str, Any])


def write(
    calls: Sequence[Call],
    inputs: Mapping[str, Any],
    constants: Mapping[str, Any],
    dtypes: Mapping[str, str],
    scales: Mapping[str, Scale] | None = None,
) -> bytes:
    """Return a model of one graph."""
    return write_graphs(Graph(calls, inputs, constants, dtypes, scales or {}))


def write_graphs(*graphs: Graph) -> bytes:
    """Return a model, the main graph of which is the first one."""
    model = schema.ModelT()
    model.version, model.buffers, model.operatorCodes = 3, [schema.BufferT()], []
    model.subgraphs = [_write_graph(model, graph) for graph in graphs]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _write_graph(model: Any, source: Graph) -> Any:
    calls, inputs, constants, dtypes = source.calls, source.inputs, source.constants, source.dtypes
    graph = schema.SubGraphT()
    names = [*inputs, *constants, *source.states, *dtypes]
    graph.tensors = []
    for name in names:
        buffer = 0
        if name in constants:
            buffer = len(model.buffers)
            model.buffers.append(schema.BufferT())
            model.buffers[-1].data = np.frombuffer(np.ascontiguousarray(constants[name]).tobytes(), np.uint8)
        shown = {**inputs, **constants, **source.states}.get(name)
        array = np.zeros((), dtypes[name]) if shown is None else np.asarray(shown)
        graph.tensors.append(_tensor(name, array, buffer, source.scales.get(name)))
        graph.tensors[-1].isVariable = name in source.states
    graph.operators = []
    for call in calls:
        code = schema.OperatorCodeT()
        code.builtinCode = getattr(schema.BuiltinOperator, call.name)
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        code.version = 2 if call.name == "BROADCAST_TO" else 1
        operator = schema.OperatorT()
        operator.opcodeIndex = len(model.operatorCodes)
        operator.inputs = [names.index(name) if name else -1 for name in call.inputs]
        operator.outputs = [names.index(name) for name in call.outputs]
        if call.table:
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, call.table)
            operator.builtinOptions = getattr(schema, f"{call.table}T")()
            for key, value in call.options.items():
                assert hasattr(operator.builtinOptions, key)
                setattr(operator.builtinOptions, key, value)
        model.operatorCodes.append(code)
        graph.operators.append(operator)
    used = {name for call in calls for name in call.inputs}
    graph.inputs = [names.index(name) for name in inputs]
    graph.outputs = [names.index(name) for name in dtypes if name not in used]
    return graph


def interpret(model: bytes, inputs: Mapping[str, Any]) -> list[Any]:
    """Return the outputs that Google's interpreter computes."""
    resolver = litert.OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = litert.Interpreter(model_content=model, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], inputs[detail["name"]])
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def compare(model: bytes, inputs: Mapping[str, Any], steps: int = 0, atol: float = 1e-5) -> None:
    """Compare with the interpreter; quantized results may differ by some steps."""
    expected = interpret(model, inputs)
    results = relax.VirtualMachine(relax.build(from_tflite(model)), tvmscript.cpu())["main"](*inputs.values())
    results = [results] if len(expected) == 1 else list(results)
    for result, array in zip(results, expected, strict=True):
        assert (result.shape, str(result.dtype)) == (array.shape, str(array.dtype))
        is_float = array.dtype.kind == "f"
        np.testing.assert_allclose(
            result.numpy().astype("float64"), array, rtol=1e-4 if is_float else 0, atol=atol if is_float else steps
        )
