"""Types of variables that a dtype alone does not tell."""

from __future__ import annotations

from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.node import Node, node


@node
class Type(Node):
    """Base of types."""


@node
class PrimType(Type):
    """A scalar or vector value."""

    dtype: DType


@node
class PointerType(Type):
    """The address of elements in a storage scope."""

    element_type: Type
    storage_scope: str = ""


@node
class TupleType(Type):
    """Several values; the empty tuple is "nothing"."""

    fields: tuple[Type, ...] = ()
