"""Buffers: memory with a dtype, a shape and a layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

from tvmscript.ir.core import PointerType, PrimType, Span, WrongType
from tvmscript.ir.core.dtype import BOOL, INT8, INT32, DType
from tvmscript.ir.core.hooks import hook
from tvmscript.ir.core.node import Building, Node, matches, node, note
from tvmscript.ir.tir.base import Expr, ScalarOp, Stmt, to_expr
from tvmscript.ir.tir.var import Var

#: Bytes that a buffer's data is aligned to where nothing else is said (TVM's kAllocAlignment).
DEFAULT_ALIGNMENT = 64

#: What may be given for an expression, and for the indices of an access.
Operand: TypeAlias = ScalarOp | float
Indices: TypeAlias = Operand | Sequence[Operand]


@node
class Buffer(Node):
    """Elements of `dtype` at `data`, addressed by `shape` and `strides` (row-major where there are none).

    A buffer may state fewer or more strides than it has dimensions, as in TVM; its elements have no address then.
    `elem_offset` counts elements from `data`; `axis_separators` group axes for physical layouts. `layout` and
    `allocated_addr`, a place in memory, are of the tile level of TVM 0.27 (`ir.tir.tile`).
    """

    data: Var = matches()
    dtype: DType
    shape: tuple[Expr, ...] = matches()
    strides: tuple[Expr, ...] = matches()
    elem_offset: Expr = matches()
    name: str = note()
    data_alignment: int = DEFAULT_ALIGNMENT
    offset_factor: int = 1
    buffer_type: str = "default"
    axis_separators: tuple[int, ...] = ()
    layout: Node | None = None
    allocated_addr: tuple[Expr, ...] = ()
    #: whether 0.27 says that there is no layout, of memory that is addressed by one index: it means the same here
    is_flat: bool = note(default=False)
    #: whether 0.27 writes it as a mutable scalar, `x: T.int32`
    is_mutable_scalar: bool = note(default=False)

    is_name: ClassVar[bool] = True
    view_of: ClassVar[str | None] = "data"
    #: not a sequence of Python: its elements are known when the program runs
    # what `access_ptr` asks for
    READ: ClassVar[int] = 1
    WRITE: ClassVar[int] = 2

    __iter__: ClassVar[None] = None

    def __post_init__(self: Building) -> None:
        if not self.data.dtype.is_handle:
            raise WrongType(where="Buffer", expected="data of type handle", got=self.data.dtype, span=self.span)
        for part, values in (("shape", self.shape), ("strides", self.strides)):
            for value in values:
                if not value.dtype.is_integer or value.dtype.lanes != 1:
                    raise WrongType(
                        where=f"the {part} of a buffer", expected="integers", got=value.dtype, span=self.span
                    )

    @property
    def name_hint(self) -> str:
        return self.name

    @property
    def storage_scope(self) -> str:
        """The storage scope of the data, such as global or shared."""
        return self.data.storage_scope

    def scope(self) -> str:
        """The storage scope of the data, as TVM has it: a method."""
        return self.data.storage_scope

    def vload(
        self, begin: Indices, dtype: str | None = None, predicate: Operand | None = None, span: Span | None = None
    ) -> Expr:
        """Load as many elements from `begin` on as the dtype has lanes. Raises `WrongType`, `WrongRank`."""
        return vload(self, begin, dtype, predicate, span)

    def vstore(
        self, begin: Indices, value: Operand, predicate: Operand | None = None, span: Span | None = None
    ) -> Stmt:
        """Store the lanes of `value` from `begin` on. Raises `DTypeMismatch`, `WrongRank`."""
        return vstore(self, begin, value, predicate, span)

    def access_ptr(
        self,
        access_mask: int | str,
        ptr_type: str = "handle",
        content_lanes: int = 1,
        offset: Expr | int = 0,
        extent: Operand | None = None,
        span: Span | None = None,
    ) -> Expr:
        """Return the address of the elements from `offset` on, for reading ("r", 1), writing ("w", 2) or both.

        `extent` counts elements, each of `content_lanes` lanes. Raises `WrongType` for another mask.
        """
        return access_ptr(self, access_mask, ptr_type, content_lanes, offset, extent, span)

    def offset_of(self, indices: Indices, span: Span | None = None) -> list[Any]:
        """Return the offset of the indices in elements, with that of the buffer, as a list. Raises `WrongRank`."""
        return offset_of(self, indices, span)

    def get_flattened_buffer(self) -> Buffer:
        """Return the buffer with one axis, or one for each group of axes between `axis_separators`."""
        return flatten(self)

    @property
    def index_dtype(self) -> DType:
        """Dtype of the indices: that of the shape, int32 for rank 0."""
        return self.shape[0].dtype if self.shape else INT32

    def __getitem__(self, indices: Any) -> Any:
        """`A[i, j]` is an element, `A[0:4, j]` a region."""
        return subscript(self, indices)


# Buffer accesses need index arithmetic, which is a layer above.


@hook
def vload(buffer: Buffer, begin: Indices, dtype: str | None, predicate: Operand | None, span: Span | None) -> Expr:
    """Implement `Buffer.vload`."""
    raise NotImplementedError


@hook
def vstore(buffer: Buffer, begin: Indices, value: Operand, predicate: Operand | None, span: Span | None) -> Stmt:
    """Implement `Buffer.vstore`."""
    raise NotImplementedError


@hook
def access_ptr(
    buffer: Buffer,
    access_mask: int | str,
    ptr_type: str,
    content_lanes: int,
    offset: Expr | int,
    extent: Operand | None,
    span: Span | None,
) -> Expr:
    """Implement `Buffer.access_ptr`."""
    raise NotImplementedError


@hook
def offset_of(buffer: Buffer, indices: Indices, span: Span | None) -> list[Expr]:
    """Implement `Buffer.offset_of`."""
    raise NotImplementedError


@hook
def flatten(buffer: Buffer) -> Buffer:
    """Implement `Buffer.get_flattened_buffer`."""
    raise NotImplementedError


@hook
def subscript(buffer: Buffer, indices: Any) -> Any:
    """Implement `buffer[indices]`: a `BufferLoad`, or a `BufferRegion` for slices."""
    raise NotImplementedError


def make_buffer(
    shape: Expr | int | Sequence[Expr | int],
    dtype: DType | str | None = None,
    name: str = "buffer",
    data: Var | None = None,
    strides: Sequence[Expr | int] | None = None,
    elem_offset: Expr | int | None = None,
    scope: str = "",
    data_alignment: int = 0,
    offset_factor: int = 0,
    buffer_type: str = "default",
    axis_separators: Sequence[int] | None = None,
    layout: Node | None = None,
    allocated_addr: Sequence[Expr] = (),
    is_flat: bool = False,
    span: Span | None = None,
) -> Buffer:
    """A buffer with TVM's defaults: of float32, a data variable of its own, offset 0, 64-byte alignment.

    A bool buffer's elements are bytes in memory. With an `offset_factor` and no `elem_offset`, the offset is a
    variable of its own.
    """
    shape, strides = _sizes(shape), _sizes(strides or ())
    dtype = DType(dtype or "float32")
    if data is None:
        stored = INT8.with_lanes(dtype.lanes) if dtype.element is BOOL else dtype
        data = Var(name, PointerType(PrimType(stored), scope or "global"), span=span)
    if elem_offset is None:
        index = shape[0].dtype if shape else INT32
        elem_offset = Var(f"{name}_elem_offset", index) if offset_factor else to_expr(0, index)
    elif not isinstance(elem_offset, Expr):
        elem_offset = to_expr(elem_offset)
    return Buffer(
        data,
        dtype,
        shape,
        strides,
        elem_offset,
        name,
        data_alignment if data_alignment > 0 else DEFAULT_ALIGNMENT,
        offset_factor or 1,
        buffer_type or "default",
        tuple(axis_separators or ()),
        layout,
        tuple(allocated_addr),
        is_flat,
        span=span,
    )


def _sizes(given: Expr | int | Sequence[Expr | int]) -> tuple[Expr, ...]:
    """Extents as expressions; one alone is that of a vector."""
    items = (given,) if isinstance(given, (Expr, int)) else given
    return tuple([item if isinstance(item, Expr) else to_expr(item) for item in items])
