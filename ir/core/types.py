"""Types of variables that a dtype alone does not tell."""

from __future__ import annotations

from typing import Any, ClassVar

from tvmscript.ir.core.attrs import attribute
from tvmscript.ir.core.dtype import FLOAT32, DType
from tvmscript.ir.core.node import Building, Node, derived, node, note


@node
class Type(Node):
    """Base of types. Types are equal if they are the same type."""

    takes_values: ClassVar[bool] = True

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Type)
            and type(self) is type(other)
            and self.schema.compared_of(self) == self.schema.compared_of(other)
        )

    def __hash__(self) -> int:
        return hash((type(self), *self.schema.compared_of(self)))


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


@node
class TensorType(Type):
    """A tensor with its sizes."""

    shape: tuple[Any, ...]
    dtype: DType = FLOAT32

    def __post_init__(self: Building) -> None:
        self.shape, self.dtype = tuple(map(attribute, self.shape)), DType(self.dtype)

    @property
    def concrete_shape(self) -> tuple[int, ...]:
        """The sizes as numbers."""
        return tuple(map(int, self.shape))


@node
class FuncType(Type):
    """A function."""

    arg_types: tuple[Type, ...]
    ret_type: Type

    def __post_init__(self: Building) -> None:
        self.arg_types = tuple(self.arg_types)
