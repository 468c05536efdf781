"""Variables: identity is the object, the name is a hint."""

from __future__ import annotations

from typing import Any, ClassVar

from tvmscript.ir.core import HANDLE, DType, PointerType, PrimType, Span, Type
from tvmscript.ir.core.node import Building, node, note
from tvmscript.ir.tir.base import Expr


@node
class Var(Expr):
    """A value with a name. `pointer_type` tells the element type of a pointer (dtype handle)."""

    name: str = note()
    pointer_type: Type | None = None

    is_name: ClassVar[bool] = True
    argument_order: ClassVar[tuple[str, ...]] = ("name", "dtype", "pointer_type")

    def __init__(
        self: Building,
        name: str,
        dtype: DType | str | Type,
        type_annotation: Type | None = None,
        span: Span | None = None,
    ) -> None:
        if isinstance(dtype, Type):
            type_annotation = None if isinstance(dtype, PrimType) else dtype
            dtype = dtype.dtype if isinstance(dtype, PrimType) else HANDLE
        self.name = name
        self.dtype = dtype if type(dtype) is DType else DType(dtype)
        self.pointer_type = type_annotation
        self.span = span

    @property
    def name_hint(self) -> str:
        return self.name

    @property
    def type_annotation(self) -> Any:
        """The type of the variable, as TVM has it: that of its dtype where no pointer type is known."""
        return self.pointer_type if self.pointer_type is not None else PrimType(self.dtype)

    @property
    def storage_scope(self) -> str:
        """Scope of the memory that a pointer variable points to; global where nothing is said."""
        annotation = self.pointer_type
        return (annotation.storage_scope if isinstance(annotation, PointerType) else "") or "global"


@node
class SizeVar(Var):
    """A variable for a size: never negative."""

    def __init__(
        self: Building,
        name: str,
        dtype: DType | str | Type,
        type_annotation: Type | None = None,
        span: Span | None = None,
    ) -> None:
        Var.__init__(self, name, dtype, type_annotation, span)
