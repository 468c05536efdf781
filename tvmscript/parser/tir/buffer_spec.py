"""The arguments of a buffer declaration, in the form that both dialects share."""

from __future__ import annotations

from typing import Any, NamedTuple

from tvmscript.ir.core import INT32, DType, Node, Span, WrongType
from tvmscript.ir.tir import Buffer, Expr, Var, make_buffer, operators
from tvmscript.parser.builtins.argument_checks import extent_of, integer, text
from tvmscript.parser.tir.builtins.constructors import as_dtype


class BufferSpec(NamedTuple):
    """Shape, element type, memory and layout of a buffer, as a declaration gives them."""

    shape: object
    dtype: object = "float32"
    data: Var | None = None
    strides: object = None
    elem_offset: object = None
    scope: str = "global"
    align: int = 0
    offset_factor: int = 0
    buffer_type: str = ""
    axis_separators: Any = None
    #: of the tile level of 0.27
    layout: Node | None = None
    allocated_addr: tuple[Expr, ...] = ()
    is_flat: bool = False

    def make(self, span: Span | None) -> Buffer:
        """Construct the buffer, without a name. Raises `WrongType`."""
        extents = shape_of(self.shape, span)
        buffer_type = text("buffer_type", self.buffer_type)
        if buffer_type not in ("", "default", "auto", "auto_broadcast"):
            raise WrongType(where="buffer_type", expected='"default" or "auto"', got=repr(buffer_type), span=span)
        if self.data is not None and not isinstance(self.data, Var):
            raise WrongType(where="data", expected="a pointer variable", got=repr(self.data), span=span)
        index_dtype = extents[0].dtype if extents else INT32
        if self.elem_offset is None:
            elem_offset: Expr | None = Var("", index_dtype, None, span) if self.offset_factor else None
        else:
            elem_offset = operators.as_expr(self.elem_offset, None, span)
        strides = _strides(self.strides, index_dtype, span)
        is_auto = buffer_type.startswith("auto")
        if is_auto and self.strides is None:
            strides = tuple(Var("", extent.dtype, None, span) for extent in extents)
        return make_buffer(
            extents,
            as_dtype(self.dtype),
            "",
            data=self.data,
            strides=strides,
            elem_offset=elem_offset,
            scope=text("a storage scope", self.scope),
            data_alignment=integer("align", self.align),
            offset_factor=integer("offset_factor", self.offset_factor),
            buffer_type="auto_broadcast" if is_auto else "default",
            axis_separators=tuple(integer("axis_separators", item) for item in self.axis_separators or ()),
            layout=self.layout,
            allocated_addr=self.allocated_addr,
            is_flat=self.is_flat,
            span=span,
        )


def shape_of(shape: object, span: Span | None) -> tuple[Expr, ...]:
    """Return a shape, which may be given as one extent. Raises `WrongType`."""
    extents = shape if isinstance(shape, (tuple, list)) else (shape,)
    return tuple([extent_of("a shape", extent, span) for extent in extents])


def _strides(strides: Any, dtype: DType, span: Span | None) -> tuple[Expr, ...]:
    """Return strides; a string is the name of a new variable."""
    return tuple(
        Var(stride, dtype, None, span) if isinstance(stride, str) else operators.as_expr(stride, None, span)
        for stride in (strides or ())
    )
