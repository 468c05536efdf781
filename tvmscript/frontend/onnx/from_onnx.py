"""`from_onnx`: an ONNX model as a graph module."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tvmscript.frontend.errors import InvalidModel, UnsupportedOperators
from tvmscript.frontend.onnx.element_types import constant_of, dtype_name
from tvmscript.frontend.onnx.errors import RuntimeBranch
from tvmscript.frontend.onnx.importer import GraphImporter, opsets_of, unsupported_operators
from tvmscript.frontend.onnx.read_model import Model, read_model
from tvmscript.frontend.onnx.values import Array, TensorSequence, Value, tensor_of
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Constant, Tuple, TupleGetItem, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.transform.normal_form.convert_to_dataflow import ConvertToDataflow
from tvmscript.ir.tir import Var as SizeVar


@dataclass(frozen=True)
class _Options:
    shapes: Mapping[str, Any]
    dtypes: Mapping[str, str] | str
    opset: int | None
    keeps_params: bool
    sanitizes: bool


@deep_recursion
def from_onnx(
    model: Any,
    shape_dict: Mapping[str, Sequence[Any]] | None = None,
    dtype_dict: Mapping[str, str] | str | None = "float32",
    opset: int | None = None,
    keep_params_in_input: bool = False,
    sanitize_input_names: bool = True,
) -> IRModule:
    """Return an ONNX model as a module with the graph function `main`.

    `model` is a ModelProto, a path, or the bytes of a file. `shape_dict` gives shapes to inputs; sizes that are not
    known are symbolic. A sequence has a list of shapes there, an optional input that is absent None. `dtype_dict` gives
    dtypes to inputs without one. With `keep_params_in_input` the weights are parameters, whose values are the attribute
    `params`. Raises `UnsupportedOperators`, `InvalidModel`, `UnknownInput`, `MissingLibrary`.
    """
    options = _Options(shape_dict or {}, dtype_dict or "float32", opset, keep_params_in_input, sanitize_input_names)
    read = read_model(model)
    imported = _Import(read, options)
    try:
        return imported.module(is_dataflow=True)
    except RuntimeBranch:
        converted: IRModule = ConvertToDataflow()(imported.module(is_dataflow=False))
        return converted


class _Import:
    """One import of a model."""

    def __init__(self, model: Model, options: _Options) -> None:
        self.model = model
        self.options = options
        self.opsets = opsets_of(model.proto.opset_import)
        if options.opset is not None:
            self.opsets[""] = options.opset
        self.opsets.setdefault("", 1)
        self.functions = {(function.domain, function.name): function for function in model.proto.functions}
        UnsupportedOperators.check("ONNX", self._unsupported())

    def _unsupported(self) -> Iterator[tuple[str, str]]:
        """Return the operators without a converter, with their nodes."""
        yield from unsupported_operators(self.model.graph.node, self.opsets, self.functions)
        for function in self.functions.values():
            opsets = {**self.opsets, **opsets_of(function.opset_import)}
            for name, place in unsupported_operators(function.node, opsets, self.functions):
                yield name, f"{function.name}: {place}"

    def module(self, is_dataflow: bool) -> IRModule:
        """Return the module; without a dataflow block where values of run time decide branches."""
        builder = BlockBuilder()
        importer = GraphImporter(builder, self.opsets, self.functions, self.model.folder)
        inputs = _Inputs(self.model, self.options)
        with builder.function("main"):
            builder.begin_block(is_dataflow)
            values = inputs.values(builder)
            outputs = importer.run_main(self.model.graph, values)
            result = _result([output.name for output in self.model.graph.output], outputs)
            output = builder.emit_output(result) if is_dataflow else builder.emit(result)
            builder.begin_block(False)
            builder.emit_func_output(output, inputs.params)
        module = builder.get()
        (main,) = [var for var in module if var.name_hint == "main"]
        function = module[main]
        assert isinstance(function, Function)
        attrs: dict[str, Any] = {"num_input": inputs.count}
        if inputs.arrays:
            attrs["params"] = inputs.arrays
        return module.replace(functions={**module.functions, main: function.with_attrs(attrs)})


def _result(names: Sequence[str], outputs: Sequence[Value]) -> RelaxExpr:
    """Return the outputs of a graph as one value; sequences are tuples."""
    fields = [_field(name, value) for name, value in zip(names, outputs, strict=True)]
    return fields[0] if len(fields) == 1 else Tuple(tuple(fields))


def _field(name: str, value: Value) -> RelaxExpr:
    if value is None:
        raise InvalidModel(source="ONNX", place=f"output {name!r}", reason="it is absent")
    if isinstance(value, TensorSequence):
        return Tuple(tuple(tensor_of(tensor) for tensor in value.tensors))
    return tensor_of(value)


class _Inputs:
    """The inputs and weights of a model: parameters of `main`, and constants."""

    def __init__(self, model: Model, options: _Options) -> None:
        self._model = model
        self._options = options
        self._sizes: dict[str, SizeVar] = {}
        self._names: set[str] = set()
        self._inputs: list[Var] = []
        self._weights: list[Var] = []
        #: those of narrow floats as bits
        self.arrays: list[Array] = []

    @property
    def params(self) -> list[Var]:
        """The inputs, then the weights that are parameters."""
        return [*self._inputs, *self._weights]

    @property
    def count(self) -> int:
        return len(self._inputs)

    def values(self, builder: BlockBuilder) -> dict[str, Value]:
        """Return the values of all names that are not computed."""
        graph = self._model.graph
        values: dict[str, Value] = {}
        for tensor in graph.initializer:
            constant = constant_of(tensor, self._model.folder, f"initializer {tensor.name!r}")
            values[tensor.name] = self._weight(tensor.name, constant) if self._options.keeps_params else constant
        for sparse in graph.sparse_initializer:
            reason = "sparse weights are not supported"
            raise InvalidModel(source="ONNX", place=f"initializer {sparse.values.name!r}", reason=reason)
        for info in graph.input:
            if info.name not in values:
                values[info.name] = self._input(builder, info)
        for param in self.params:
            builder.begin_scope([param])  # its sizes are defined
        return values

    def _weight(self, name: str, constant: Constant) -> Var:
        assert constant.struct_info is not None
        var = Var(self._name(name), constant.struct_info)
        self._weights.append(var)
        self.arrays.append(np.asarray(constant.data))
        return var

    def _input(self, builder: BlockBuilder, info: Any) -> Value:
        kind = info.type.WhichOneof("value")
        place = f"input {info.name!r}"
        type_proto = info.type
        if kind == "optional_type":
            type_proto = info.type.optional_type.elem_type
            kind = type_proto.WhichOneof("value")
            if info.name in self._options.shapes and self._options.shapes[info.name] is None:
                return None
        if kind == "sequence_type":
            return self._sequence(builder, info.name, type_proto.sequence_type.elem_type.tensor_type, place)
        if kind != "tensor_type":
            raise InvalidModel(source="ONNX", place=place, reason=f"inputs of the kind {kind} are not supported")
        tensor_type = type_proto.tensor_type
        shape = self._options.shapes.get(info.name)
        sizes = self._shape(tensor_type, info.name) if shape is None else [self._given(size) for size in shape]
        var = Var(self._name(info.name), TensorStructInfo(tuple(sizes), self._dtype(tensor_type, info.name, place)))
        self._inputs.append(var)
        return var

    def _sequence(self, builder: BlockBuilder, name: str, tensor_type: Any, place: str) -> Value:
        shapes = self._options.shapes.get(name)
        if shapes is None:
            reason = "a sequence needs its shapes: shape_dict={name: [shape, ...]}"
            raise InvalidModel(source="ONNX", place=place, reason=reason)
        dtype = self._dtype(tensor_type, name, place)
        fields: list[StructInfo] = [
            TensorStructInfo(tuple(self._given(size) for size in shape), dtype) for shape in shapes
        ]
        var = Var(self._name(name), TupleStructInfo(tuple(fields)))
        self._inputs.append(var)
        return TensorSequence(tuple(TupleGetItem(var, index) for index in range(len(fields))), dtype)

    def _dtype(self, tensor_type: Any, name: str, place: str) -> str:
        if tensor_type.elem_type:
            return dtype_name(tensor_type.elem_type, place)
        dtypes = self._options.dtypes
        return dtypes if isinstance(dtypes, str) else dtypes.get(name, "float32")

    def _shape(self, tensor_type: Any, name: str) -> list[Any]:
        if not tensor_type.HasField("shape"):
            reason = "it has no shape: give one with shape_dict"
            raise InvalidModel(source="ONNX", place=f"input {name!r}", reason=reason)
        sizes: list[Any] = []
        for axis, dim in enumerate(tensor_type.shape.dim):
            if dim.HasField("dim_value") and dim.dim_value >= 0:
                sizes.append(dim.dim_value)
            else:
                sizes.append(self._symbol(dim.dim_param or f"{name}_{axis}"))
        return sizes

    def _given(self, size: Any) -> Any:
        return self._symbol(size) if isinstance(size, str) else size

    def _symbol(self, name: str) -> SizeVar:
        """Return the symbolic size of a name."""
        if name not in self._sizes:
            self._sizes[name] = SizeVar(_identifier(name, "dim_"), "int64")
        return self._sizes[name]

    def _name(self, name: str) -> str:
        """Return the name of a parameter, an identifier of its own."""
        wanted = _identifier(name, "input_") if self._options.sanitizes else name
        unique, count = wanted, 1
        while unique in self._names:
            unique, count = f"{wanted}_{count}", count + 1
        self._names.add(unique)
        return unique


def _identifier(name: str, prefix: str) -> str:
    cleaned = re.sub(r"\W", "_", name, flags=re.ASCII)
    return cleaned if cleaned and not cleaned[0].isdigit() else prefix + cleaned
