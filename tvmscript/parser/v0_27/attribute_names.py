"""Names of attributes in TVM 0.27: `tirx.noalias` is `tir.noalias` in 0.17."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from tvmscript.ir.core import Span
from tvmscript.parser.names.namespace import Builtin
from tvmscript.parser.reader import Reader


def attribute_key(key: str) -> str:
    """Return the name of an attribute in 0.17."""
    return f"tir.{key[5:]}" if key.startswith("tirx.") else key


def rename_attributes(value: Any) -> Any:
    """Return a value with the string keys of its mappings, nested ones included, renamed to those of 0.17."""
    if isinstance(value, Mapping):
        return {
            attribute_key(key) if isinstance(key, str) else key: rename_attributes(item) for key, item in value.items()
        }
    return type(value)([rename_attributes(item) for item in value]) if isinstance(value, (tuple, list)) else value


def with_attributes(name: str, function: Callable[..., object], in_class: bool = False) -> Builtin:
    """Return a construct of 0.17 that takes attributes by their names in 0.27."""

    @wraps(function)
    def build(parser: Reader, span: Span, *args: object, **kwargs: object) -> object:
        renamed = {name: rename_attributes(arg) for name, arg in kwargs.items()}
        return function(parser, span, *map(rename_attributes, args), **renamed)

    return Builtin(name, build, True, in_class)
