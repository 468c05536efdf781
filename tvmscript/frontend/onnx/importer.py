"""Convert the nodes of a graph in order, with the operators' table or with the functions that stand for nodes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.onnx.context import Context
from tvmscript.frontend.onnx.element_types import DTYPES, constant_of
from tvmscript.frontend.onnx.folding import fold
from tvmscript.frontend.onnx.functions import attributes_of, body_of, has_body, with_attributes
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.operators import find_converter
from tvmscript.frontend.onnx.schema_check import check_node
from tvmscript.frontend.onnx.values import Value, info_of, known_value
from tvmscript.ir.core import IRError, TVMScriptError
from tvmscript.ir.relax.anf import is_leaf
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import TupleGetItem
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo

#: functions inside of functions
_MOST_NESTED: Final = 64
#: nodes of functions, branches and unrolled loops: few small functions can call each other billions of times
_MOST_REPEATED: Final = 1 << 16


class GraphImporter:
    """Converts graphs. `functions` are those of the model by domain and name; `folder` is that of external data."""

    def __init__(
        self,
        builder: BlockBuilder,
        opsets: Mapping[str, int],
        functions: Mapping[tuple[str, str], Any],
        folder: Path | None,
    ) -> None:
        self.builder = builder
        self.functions = functions
        self.folder = folder
        self._opsets = dict(opsets)
        #: names that are visible, innermost scope last
        self._scopes: list[dict[str, Value]] = []
        self._hints: list[dict[str, list[int | None]]] = []
        self.depth = 0
        self._repeated = 0
        self.context = Context(builder, self)

    # ---- graphs

    def run_main(self, graph: Any, inputs: Mapping[str, Value]) -> list[Value]:
        """Convert the graph of a model; `inputs` are the values of its inputs and initializers."""
        return self._run(graph.node, dict(inputs), [output.name for output in graph.output], _hints_of(graph))

    def run_graph(self, graph: Any, inputs: Sequence[Value], outer: Mapping[str, Value] | None = None) -> list[Value]:
        """Convert a graph of a node, which sees the names around it, or `outer` in place of them."""
        if outer is not None:
            around, self._scopes = self._scopes, [dict(outer)]
            try:
                return self.run_graph(graph, inputs)
            finally:
                self._scopes = around
        scope: dict[str, Value] = dict(zip((info.name for info in graph.input), inputs, strict=False))
        for tensor in graph.initializer:
            scope[tensor.name] = constant_of(tensor, self.folder, f"initializer {tensor.name!r}")
        self._count(graph.node)
        return self._run(graph.node, scope, [output.name for output in graph.output], _hints_of(graph))

    def _count(self, nodes: Sequence[Any]) -> None:
        """Count nodes that are converted where the graph of the model refers to them. Raises `InvalidModel`."""
        self._repeated += len(nodes)
        if self._repeated > _MOST_REPEATED:
            reason = f"its functions, branches and loops come to more than {_MOST_REPEATED} nodes"
            raise InvalidModel(source="ONNX", place="the model", reason=reason)

    def _run(
        self, nodes: Iterable[Any], scope: dict[str, Value], outputs: Sequence[str], hints: dict[str, list[int | None]]
    ) -> list[Value]:
        self._scopes.append(scope)
        self._hints.append(hints)
        try:
            for node in nodes:
                self._convert(node)
            return [self._lookup(name, "the graph's outputs") for name in outputs]
        finally:
            self._scopes.pop()
            self._hints.pop()

    def bind_outer(self, graph: Any) -> None:
        """Bind the values around a graph that it uses: a branch must not bind them first."""
        for name in _used_names(graph):
            if any(name in scope for scope in self._scopes):
                self._bound(name, "a graph")

    def outer_values(self, graph: Any) -> dict[str, Value]:
        """Return the values around a graph that it uses, by their names."""
        names = [name for name in _used_names(graph) if any(name in scope for scope in self._scopes)]
        return {name: self._lookup(name, "a graph") for name in names}

    def _lookup(self, name: str, place: str) -> Value:
        if not name:
            return None
        for scope in reversed(self._scopes):
            if name in scope:
                return scope[name]
        reason = f"the value {name!r} is not defined before it is used: names are wrong, or there is a cycle"
        raise InvalidModel(source="ONNX", place=place, reason=reason)

    def _bound(self, name: str, place: str) -> Value:
        """Return a value by its name, bound to a variable."""
        value = self._lookup(name, place)
        if isinstance(value, RelaxExpr) and not is_leaf(value):
            value = self.builder.emit(value)
            next(scope for scope in reversed(self._scopes) if name in scope)[name] = value
        return value

    # ---- nodes

    def _convert(self, proto: Any) -> None:
        version = self._opsets.get("" if proto.domain == "ai.onnx" else proto.domain, 1)
        place = f"{proto.op_type} node {proto.name!r}"
        check_node(proto, version, place)
        attrs = {attribute.name: self._attribute(attribute, place) for attribute in proto.attribute}
        node = Node(
            proto.op_type,
            proto.name or ", ".join(proto.output),
            proto.domain,
            version,
            tuple(self._bound(name, place) for name in proto.input),
            tuple(proto.input),
            tuple(proto.output),
            attrs,
        )
        try:
            results = self._results(node, proto)
        except IRError as error:
            raise node.invalid(error.text) from error
        except (ArithmeticError, LookupError, ValueError) as error:
            if isinstance(error, TVMScriptError):
                raise
            raise node.invalid(str(error) or type(error).__name__) from error
        self._define(node, results)

    def _results(self, node: Node, proto: Any) -> list[Value]:
        """Return the outputs of a node."""
        folded = fold(node)
        if folded is not None:
            return [folded]
        function = self.functions.get((node.domain, node.op_type))
        if function is not None:
            return self._call_function(function, node, proto)
        convert = find_converter(node.domain, node.op_type, node.version)
        if convert is not None:
            return self._as_values(convert(self.context, node))
        function = body_of(node, proto)
        if function is None:
            raise node.invalid("no function defines it for these inputs")
        return self._call_function(function, node, proto)

    def _as_values(self, results: Any) -> list[Value]:
        """Return what a converter returned as one value for each output."""
        if isinstance(results, RelaxExpr) and isinstance(results.struct_info, TupleStructInfo):
            fields = results.struct_info.fields
            bound = self.context.emit(results)
            results = [TupleGetItem(bound, index) for index in range(len(fields))]
        items: list[Any] = list(results) if isinstance(results, (list, tuple)) else [results]
        return [known_value(item) if isinstance(item, np.ndarray) else item for item in items]

    def _call_function(self, function: Any, node: Node, proto: Any) -> list[Value]:
        """Convert the body of a function in place of a node."""
        if self.depth == _MOST_NESTED:
            raise node.invalid("functions call each other without end")
        names = [*function.input, *[""] * len(node.inputs)]
        scope = dict(zip(names, [*node.inputs, *[None] * len(function.input)], strict=False))
        scope.pop("", None)
        self._count(function.node)
        nodes = with_attributes(function.node, attributes_of(function, proto, node.version))
        outer = self._scopes, self._hints, self._opsets
        self._scopes, self._hints = [], []
        self._opsets = {**self._opsets, **opsets_of(function.opset_import)} if function.opset_import else self._opsets
        self.depth += 1
        try:
            wanted = [name if used else "" for name, used in zip(function.output, node.output_names, strict=False)]
            return self._run(nodes, scope, wanted, {})
        finally:
            self._scopes, self._hints, self._opsets = outer
            self.depth -= 1

    def _define(self, node: Node, results: Sequence[Value]) -> None:
        for name, value in zip(node.output_names, results, strict=False):
            if not name:
                continue
            if isinstance(value, RelaxExpr) and isinstance(value.struct_info, TensorStructInfo):
                value = self._shaped(name, value)
            self._scopes[-1][name] = value

    def _shaped(self, name: str, value: RelaxExpr) -> RelaxExpr:
        if info_of(value).extents is not None:
            return value
        return self.context.with_shape(value, self._hints[-1].get(name))

    def _attribute(self, attribute: Any, place: str) -> Any:
        """Return the value of an attribute in Python's types; tensors as constants, graphs as they are."""
        kinds = type(attribute).AttributeType
        kind = attribute.type or next((k for f, k in _FIELDS.items() if attribute.HasField(f)), kinds.INTS)
        if kind == kinds.TENSOR:
            if attribute.t.data_type == kinds.STRING:
                return attribute.t
            return constant_of(attribute.t, self.folder, place) if attribute.t.data_type in DTYPES else attribute.t
        fields: dict[int, str] = {
            kinds.FLOAT: "f", kinds.INT: "i", kinds.STRING: "s", kinds.GRAPH: "g", kinds.FLOATS: "floats",
            kinds.INTS: "ints", kinds.STRINGS: "strings", kinds.TENSORS: "tensors", kinds.GRAPHS: "graphs",
            kinds.TYPE_PROTO: "tp", kinds.SPARSE_TENSOR: "sparse_tensor",
        }  # fmt: skip
        if kind not in fields:
            reason = f"its attribute {attribute.name} is {kinds.Name(kind)}, which is not supported"
            raise InvalidModel(source="ONNX", place=place, reason=reason)
        value = getattr(attribute, fields[kind])
        return list(value) if kind in (kinds.FLOATS, kinds.INTS, kinds.STRINGS) else value


#: fields of attributes of old files, which have no type
_FIELDS: Final = {"f": 1, "i": 2, "s": 3, "t": 4, "g": 5}


def opsets_of(imports: Iterable[Any]) -> dict[str, int]:
    """Return the versions of domains. Raises `InvalidModel`."""
    opsets = {"" if entry.domain == "ai.onnx" else entry.domain: int(entry.version) for entry in imports}
    for domain, version in opsets.items():
        if not 0 <= version < 1 << 31:
            reason = f"{version} is no version of the operators of {domain or 'ai.onnx'}"
            raise InvalidModel(source="ONNX", place="the model", reason=reason)
    return opsets


def unsupported_operators(
    nodes: Iterable[Any], opsets: Mapping[str, int], functions: Mapping[tuple[str, str], Any]
) -> Iterator[tuple[str, str]]:
    """Return the operators that nodes and the graphs inside of them use and that nothing converts, with their nodes."""
    for node in nodes:
        domain = "" if node.domain == "ai.onnx" else node.domain
        version = opsets.get(domain, 1)
        is_there = (
            (node.domain, node.op_type) in functions
            or find_converter(domain, node.op_type, version) is not None
            or has_body(domain, node.op_type, version)
        )
        if not is_there:
            name = f"{domain}.{node.op_type}" if domain else node.op_type
            yield name, node.name or ", ".join(node.output)
        for graph in graphs_of(node):
            yield from unsupported_operators(graph.node, opsets, functions)


def graphs_of(node: Any) -> list[Any]:
    """Return the graphs in the attributes of a node."""
    return [graph for attr in node.attribute for graph in ([attr.g] if attr.HasField("g") else list(attr.graphs))]


def _used_names(graph: Any) -> list[str]:
    names = [name for node in graph.node for name in node.input if name]
    names += [output.name for output in graph.output]
    for node in graph.node:
        for inner in graphs_of(node):
            names += _used_names(inner)
    return list(dict.fromkeys(names))


def _hints_of(graph: Any) -> dict[str, list[int | None]]:
    """Return the shapes that a graph declares for its values."""
    hints: dict[str, list[int | None]] = {}
    for info in [*graph.value_info, *graph.output]:
        tensor_type = info.type.tensor_type
        if tensor_type.HasField("shape"):
            dims = tensor_type.shape.dim
            hints[info.name] = [dim.dim_value if dim.HasField("dim_value") else None for dim in dims]
    return hints
