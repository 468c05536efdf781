"""Types of variables that a dtype alone does not tell."""

from __future__ import annotations

from typing import ClassVar

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Building, Node, derived, node, note


@node
class Type(Node):
    """Base of types."""

    takes_values: ClassVar[bool] = True


@node
class PrimType(Type):
    """A scalar or vector value."""

    dtype: DType


@node
class PointerType(Type):
    """The address of elements in a storage scope."""

    element_type: Type
    storage_scope: str = note(default="")
    #: the scope that is meant: nothing said is global
    scope: str = derived()

    def __post_init__(self: Building) -> None:
        self.scope = self.storage_scope or "global"


@node
class TupleType(Type):
    """Several values; the empty tuple is "nothing"."""

    fields: tuple[Type, ...] = ()
