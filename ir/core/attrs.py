"""Normalization of attribute and annotation values.

Strings, nodes, dtypes and arrays stay; bool, int and float become constants (as in TVM); lists become tuples;
mappings become dicts with string keys, or with variables and buffers as keys; None stays None.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tvmscript.ir.core.errors import InvalidAttribute, WrongType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Node


@hook
def constant_of(value: float) -> Node:
    """Return the constant of a Python number."""
    raise NotImplementedError


def attribute(value: object) -> Any:
    """Normalize the value of an attribute. Raises `InvalidAttribute`."""
    if value is None or isinstance(value, (str, Node)):
        return value
    if isinstance(value, (bool, int, float)):
        return constant_of(value)
    if isinstance(value, (list, tuple)):
        return tuple(attribute(item) for item in value)
    if isinstance(value, Mapping):
        if value and all(isinstance(key, Node) and key.is_name for key in value):
            return {key: attribute(item) for key, item in value.items()}
        return attributes(value)
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return value
    raise InvalidAttribute(value=repr(value))


def attributes(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Normalize a mapping of attributes. Raises `InvalidAttribute` for a key that is not a string."""
    normalized: dict[str, object] = {}
    if values is not None and not isinstance(values, Mapping):
        raise InvalidAttribute(value=repr(values), hint='attributes are a dict: {"key": value}')
    for key, value in (values or {}).items():
        if not isinstance(key, str):
            raise InvalidAttribute(value=f"the key {key!r}", hint="keys are strings")
        normalized[str(key)] = attribute(value)
    return normalized


def function_attributes(values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Normalize the attributes of a function. Raises `InvalidAttribute`, and `WrongType` for its global symbol."""
    normalized = attributes(values)
    symbol = normalized.get("global_symbol")
    if symbol is not None and not isinstance(symbol, str):
        raise WrongType(where="global_symbol", expected="a string", got=symbol)
    return normalized


class CallAttrs(dict[str, Any]):
    """Attributes of a call, which are also Python attributes: `call.attrs.out_dtype`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the call has no attribute {name!r}") from None
