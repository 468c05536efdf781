"""Attributes that values of the program have in a text: `A.data`, `x.dtype`, `A.access_ptr("r")`.

`MEMBERS` is filled by `tir.attributes` and `v0_27.builtins`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from tvmscript.ir.core.node import Node

#: owner -> value of an attribute
Getter: TypeAlias = Callable[[Any], Any]

#: class -> attribute -> getter
MEMBERS: Final[dict[type, dict[str, Getter]]] = {}


def member_of(owner: object, name: str) -> tuple[Any] | None:
    """Return the value of an attribute in a tuple, or None if there is no such attribute."""
    for cls in type(owner).__mro__:
        getters = MEMBERS.get(cls)
        if getters is not None and name in getters:
            return (getters[name](owner),)
    if isinstance(owner, Node) and name in owner.schema.arguments:
        return (getattr(owner, name),)
    return None


def members_of(owner: object) -> list[str]:
    """Return the names of the attributes of a value."""
    return [name for cls in type(owner).__mro__ for name in MEMBERS.get(cls, ())]
