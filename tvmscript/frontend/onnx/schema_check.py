"""Check nodes against ONNX's schemas: how many inputs they take, and of which kinds their attributes are."""

from __future__ import annotations

from typing import Any

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.onnx.functions import schema_of


def check_node(proto: Any, version: int, place: str) -> None:
    """Raise `InvalidModel` where a node does not fit the schema of its operator, if it has one."""
    schema = schema_of(proto.domain, proto.op_type, version)
    if schema is None:
        return
    count = len(proto.input)
    if not schema.min_input <= count <= schema.max_input:
        limits = f"at least {schema.min_input}" if count < schema.min_input else f"at most {schema.max_input}"
        raise InvalidModel(source="ONNX", place=place, reason=f"it takes {limits} inputs, but is given {count}")
    for index, name in enumerate(proto.input):
        formal = schema.inputs[min(index, len(schema.inputs) - 1)]
        if not name and formal.option != formal.option.Optional:
            raise InvalidModel(source="ONNX", place=place, reason=f"it has no input {index}, {formal.name}")
    for attribute in proto.attribute:
        formal = schema.attributes.get(attribute.name)
        # files of the first version have no types; those that refer to the attributes of a function have one
        if formal is not None and attribute.type not in (0, int(formal.type.value)):
            kinds = type(attribute).AttributeType.Name
            reason = f"its attribute {attribute.name} is {kinds(attribute.type)}, not {kinds(formal.type.value)}"
            raise InvalidModel(source="ONNX", place=place, reason=reason)
