"""Functions that stand for nodes: those of a model, and the bodies that ONNX gives to operators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tvmscript.frontend.onnx.element_types import ELEMENT_TYPES
from tvmscript.frontend.onnx.library import onnx_library
from tvmscript.frontend.onnx.node import Node
from tvmscript.frontend.onnx.values import Known, TensorSequence, Value, dtype_of, sizes_of

DEFAULT_DOMAINS = ("", "ai.onnx")


def schema_of(domain: str, op_type: str, version: int) -> Any:
    """Return ONNX's schema of an operator, None where there is none."""
    defs = onnx_library().defs
    try:
        return defs.get_schema(op_type, version, "" if domain in DEFAULT_DOMAINS else domain)
    except defs.SchemaError:
        return None


def has_body(domain: str, op_type: str, version: int) -> bool:
    """Whether ONNX defines an operator by a function."""
    schema = schema_of(domain, op_type, version)
    return schema is not None and (schema.has_function or schema.has_context_dependent_function)


def body_of(node: Node, proto: Any) -> Any:
    """Return the function that ONNX defines an operator by, None where there is none for these inputs."""
    schema = schema_of(node.domain, node.op_type, node.version)
    if schema is None:
        return None
    if schema.has_function:
        version = max((v for v in schema.function_opset_versions if v <= node.version), default=None)
        text = schema.get_function_with_opset_version(version) if version is not None else None
    elif schema.has_context_dependent_function:
        versions = schema.context_dependent_function_opset_versions
        version = max((v for v in versions if v <= node.version), default=None)
        types = [_type_of(value).SerializeToString() for value in node.inputs]
        text = (
            schema.get_context_dependent_function_with_opset_version(version, proto.SerializeToString(), types)
            if version is not None
            else None
        )
    else:
        return None
    if not text:
        return None
    function = onnx_library().FunctionProto()
    function.ParseFromString(text)
    return function


def _type_of(value: Value) -> Any:
    onnx = onnx_library()
    if value is None:
        return onnx.TypeProto()
    helper = onnx.helper
    if isinstance(value, TensorSequence):
        return helper.make_sequence_type_proto(helper.make_tensor_type_proto(ELEMENT_TYPES[value.dtype], None))
    dtype = value.dtype if isinstance(value, Known) else dtype_of(value)
    shape = [size if isinstance(size, int) else str(size) for size in sizes_of(value)]
    return helper.make_tensor_type_proto(ELEMENT_TYPES[dtype], shape)


def with_attributes(nodes: Iterable[Any], attributes: Mapping[str, Any]) -> list[Any]:
    """Return the nodes of a function with the values of attributes that they refer to, in graphs of nodes as well."""
    return [_with_attributes(node, attributes) for node in nodes]


def _with_attributes(node: Any, attributes: Mapping[str, Any]) -> Any:
    copy = type(node)()
    copy.CopyFrom(node)
    del copy.attribute[:]
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            value = attributes.get(attribute.ref_attr_name)
            if value is None:
                continue
            bound = type(attribute)()
            bound.CopyFrom(value)
            bound.name = attribute.name
        else:
            bound = type(attribute)()
            bound.CopyFrom(attribute)
        for graph in [bound.g] if bound.HasField("g") else list(bound.graphs):
            inner = with_attributes(list(graph.node), attributes)
            del graph.node[:]
            graph.node.extend(inner)
        copy.attribute.append(bound)
    return copy


def attributes_of(function: Any, node: Any, version: int) -> dict[str, Any]:
    """Return the attributes that a node gives to a function, and the defaults of others."""
    schema = schema_of(node.domain, node.op_type, version)
    given = {
        name: attribute.default_value
        for name, attribute in (schema.attributes.items() if schema is not None else ())
        if attribute.default_value.name
    }
    given.update({attribute.name: attribute for attribute in function.attribute_proto})
    given.update({attribute.name: attribute for attribute in node.attribute})
    return given
