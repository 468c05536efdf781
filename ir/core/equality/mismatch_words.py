"""Text of mismatches: names of fields, kinds of nodes, plain values."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from tvmscript.ir.core.node import Node
from tvmscript.ir.core.values.leaf_values import is_array

#: field -> what it is called, where that is not its own name
_WORDS: Final = {
    "kind": "loop kind",
    "iter_type": "axis kind",
    "attr_key": "attribute key",
    "name_hint": "function name",
    "op": "operator",
    "min": "lower bound",
    "thread_tag": "thread",
    "scope": "storage scope",
    "data_alignment": "alignment",
    "iter_values": "axis binding",
    "iter_vars": "axis",
    "params": "parameter",
    "args": "argument",
    "attrs": "attribute",
    "annotations": "annotation",
    "reads": "read region",
    "writes": "written region",
    "alloc_buffers": "allocated buffer",
    "match_buffers": "matched buffer",
    "buffer_map": "buffer of a parameter",
    "indices": "index",
    "extents": "extent",
    "ret_type": "returned type",
    "ret_struct_info": "struct info of the result",
    "values": "size",
    "a": "left operand",
    "b": "right operand",
    "seq": "statement",
}


def field_text(field: str) -> str:
    """Return the name of a field in messages; a quoted key stays as it is."""
    return field if field[:1] in "'\"" else _WORDS.get(field, field.replace("_", " "))


def with_article(value: object) -> str:
    """Return the class of a part with an article: `a For`, `an Add`."""
    name = type(value).__name__
    return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


def value_text(value: Any) -> str:
    """Return a plain value as text of a message."""
    if isinstance(value, Enum):
        return value.name.lower().replace("_", " ")
    if value is None:
        return "nothing"
    if is_array(value):
        return f"data of {value.dtype}"
    if isinstance(value, Node):
        return with_article(value)
    return str(getattr(value, "name", value))
