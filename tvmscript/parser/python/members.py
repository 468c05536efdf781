"""Attributes that values of the program have in a text: `A.data`, `x.dtype`, `A.access_ptr("r")`.

`tir.attributes` fills `MEMBERS`. `v0_27.buffers` has the attributes of buffers in 0.27.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from tvmscript.ir.core import Node
from tvmscript.ir.tir import Buffer
from tvmscript.parser.names.lazy_table import LazyTable

#: owner -> value of an attribute
Getter: TypeAlias = Callable[[object], object]

#: class -> attribute -> getter
MEMBERS: Final[dict[type, dict[str, Getter]]] = {}
_MEMBERS_OF_BUFFERS: Final = LazyTable("members of 0.27")


def member_of(owner: object, name: str) -> tuple[object] | None:
    """Return the value of an attribute in a tuple, or None if there is no such attribute."""
    for cls in type(owner).__mro__:
        getters = MEMBERS.get(cls)
        if getters is not None and name in getters:
            return (getters[name](owner),)
    if isinstance(owner, Node) and name in owner.schema.arguments:
        return (getattr(owner, name),)
    getter = _MEMBERS_OF_BUFFERS.get(name) if isinstance(owner, Buffer) else None
    return None if getter is None else (getter(owner),)


def members_of(owner: object) -> list[str]:
    """Return the names of the attributes of a value."""
    names = [name for cls in type(owner).__mro__ for name in MEMBERS.get(cls, ())]
    return [*names, *_MEMBERS_OF_BUFFERS] if isinstance(owner, Buffer) else names
