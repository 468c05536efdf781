"""Tensors, and the operations that produce them.

An operation is a name: passes do not enter its body. Its tensors are created with it (`op.outputs`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, overload

from tvmscript.ir.core import DType, Node
from tvmscript.ir.core.attrs import attributes
from tvmscript.ir.core.errors import ValueOutOfRange, WrongRank, WrongType
from tvmscript.ir.core.hooks import Hook
from tvmscript.ir.core.node import Building, binds, derived, node, note
from tvmscript.ir.core.visit import INNER, KINDS, SEQUENCE
from tvmscript.ir.tir import Buffer, Expr, IterVar, Range, Stmt, as_expr
from tvmscript.ir.tir.base import Convertible, ExprOp, ScalarOp
from tvmscript.ir.tir.buffer import Operand
from tvmscript.ir.tir.te_nodes import DataProducer, ProducerLoad, Reduce

if TYPE_CHECKING:
    from tvmscript.ir.te.tensor_intrin import TensorIntrin

#: size of a dimension
Extent: TypeAlias = Expr | int
#: index of an element: an expression, or an axis
Index: TypeAlias = ScalarOp | int
#: part of a dimension
Place: TypeAlias = Index | slice
#: extents; one alone is that of a vector
Shape: TypeAlias = Extent | Iterable[Expr | float]
#: operand of an elementwise operator
Elements: TypeAlias = "Tensor | Operand"

#: elementwise operators of Python on whole tensors; `ir.te.broadcast` fills them
OPERATORS: Final[dict[str, Hook[[Any, Any], Tensor]]] = {
    name: Hook(f"{__name__}.{name}") for name in ("add", "subtract", "multiply", "divide", "cast")
}


def _operator(name: str, *, is_reflected: bool = False) -> Callable[[Tensor, Any], Tensor]:
    operation = OPERATORS[name]
    if is_reflected:
        return lambda self, other: operation(other, self)
    return lambda self, other: operation(self, other)


@node
class Operation(Node):
    """Base of what produces tensors."""

    name: str = note()
    tag: str
    attrs: dict[str, Any]
    outputs: tuple[Tensor, ...] = derived()

    is_name: ClassVar[bool] = True

    if TYPE_CHECKING:  # `C.op.axis`: what a kind of operation has is known when the program runs

        def __getattr__(self, name: str) -> Any: ...

    def __post_init__(self: Building) -> None:
        layout_free = (self.attrs or {}).get(LAYOUT_FREE)
        self.attrs = attributes({key: value for key, value in (self.attrs or {}).items() if key != LAYOUT_FREE})
        if layout_free is not None:
            self.attrs[LAYOUT_FREE] = tuple(layout_free)
        kinds = self.output_kinds()
        names = [self.name] if len(kinds) == 1 else [f"{self.name}.v{index}" for index in range(len(kinds))]
        self.outputs = tuple([Tensor(names[i], shape, dtype, self, i) for i, (shape, dtype) in enumerate(kinds)])

    def output_kinds(self) -> list[tuple[tuple[Expr, ...], DType]]:
        """Return the shape and the dtype of each output."""
        raise NotImplementedError

    @property
    def input_tensors(self) -> list[Tensor]:
        """The tensors that the operation reads, in order of their first use."""
        return []

    @property
    def name_hint(self) -> str:
        return self.name

    @property
    def num_outputs(self) -> int:
        return len(self.outputs)

    def output(self, index: int) -> Tensor:
        """Return the output of this number. Raises `ValueOutOfRange`."""
        if not 0 <= index < len(self.outputs):
            raise ValueOutOfRange(value=index, dtype=f"the {len(self.outputs)} outputs of {self.name}")
        return self.outputs[index]

    @property
    def root_axes(self) -> tuple[IterVar, ...]:
        """The axes of its loops, outermost first."""
        return ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name})"

    __str__ = __repr__


#: attribute with the placeholders whose layout a compiler may choose
LAYOUT_FREE: Final = "layout_free_placeholders"


@node
class Tensor(DataProducer, ExprOp):
    """Output `value_index` of an operation. `A[i, j]` is an element, `A[i]` a slice that takes the other indices."""

    op: Operation
    value_index: int

    has_own_operators: ClassVar[bool] = True
    #: not a sequence of Python: its elements are known when the program runs
    __iter__: ClassVar[None] = None

    __add__ = _operator("add")
    __radd__ = _operator("add", is_reflected=True)
    __sub__ = _operator("subtract")
    __rsub__ = _operator("subtract", is_reflected=True)
    __mul__ = _operator("multiply")
    __rmul__ = _operator("multiply", is_reflected=True)
    __truediv__ = _operator("divide")
    __rtruediv__ = _operator("divide", is_reflected=True)
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        """Whether both are the same tensor."""
        return self is other

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __neg__(self) -> Tensor:
        return OPERATORS["multiply"](self, as_expr(-1, self.dtype))

    def astype(self, dtype: str) -> Tensor:
        """Return the tensor with its elements converted."""
        return OPERATORS["cast"](self, dtype)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def axis(self) -> tuple[IterVar, ...]:
        """The axes of the operation."""
        axes: tuple[IterVar, ...] = getattr(self.op, "axis", ())
        return axes

    def __call__(self, *indices: Place) -> ProducerLoad:
        """Return the element at the indices. Raises `WrongRank`, `WrongType`."""
        if len(indices) != len(self.shape):
            raise WrongRank(buffer=self.name, rank=len(self.shape), count=len(indices))
        return ProducerLoad(self, tuple([as_expr(index) for index in indices]))

    @overload
    def __getitem__(self, indices: slice) -> TensorSlice: ...
    @overload
    def __getitem__(self, indices: Index | tuple[Place, ...]) -> Any: ...
    def __getitem__(self, indices: Place | tuple[Place, ...]) -> Any:
        return TensorSlice(self, ())[indices]

    def __repr__(self) -> str:
        return f"Tensor(shape=[{', '.join(map(str, self.shape))}], op.name={self.op.name})"

    __str__ = __repr__


class TensorSlice(Convertible):
    """A tensor with some of its indices, or with slices: `A[i]` of a matrix, `A[i, 0:16]`."""

    __slots__ = ("indices", "tensor")

    def __init__(self, tensor: Tensor, indices: Sequence[Place]) -> None:
        self.tensor = tensor
        self.indices = tuple(indices)

    def __getitem__(self, indices: Place | tuple[Place, ...]) -> Any:
        all_indices = (*self.indices, *(indices if isinstance(indices, tuple) else (indices,)))
        if len(all_indices) < self.tensor.ndim or any(isinstance(index, slice) for index in all_indices):
            return TensorSlice(self.tensor, all_indices)
        return self.tensor(*all_indices)

    def asobject(self) -> Expr:
        """Return the element. Raises `WrongRank` where indices are missing."""
        return self.tensor(*self.indices)

    @property
    def dtype(self) -> DType:
        return self.tensor.dtype


def loaded_tensors(*parts: Node | Iterable[Node]) -> list[Tensor]:
    """Return the tensors whose elements expressions or statements read, in order, each once."""
    producers: list[object] = []
    stack: list[Any] = []
    for part in parts:
        stack += [part] if isinstance(part, Node) else part
    while stack:
        part = stack.pop()
        kind = KINDS[part.__class__]
        if kind is INNER:
            if isinstance(part, ProducerLoad):
                producers.append(part.producer)
            stack += part.schema.parts_of(part)
        elif kind is SEQUENCE:
            stack += part
    # parts were visited after what they are part of, the last ones first
    return [producer for producer in dict.fromkeys(reversed(producers)) if isinstance(producer, Tensor)]


@node
class PlaceholderOp(Operation):
    """An input."""

    shape: tuple[Expr, ...]
    dtype: DType

    def output_kinds(self) -> list[tuple[tuple[Expr, ...], DType]]:
        return [(self.shape, DType(self.dtype))]


@node
class ComputeOp(Operation):
    """Elements given by expressions of the axes; several outputs where there are several expressions."""

    axis: tuple[IterVar, ...] = binds()
    body: tuple[Expr, ...]

    def output_kinds(self) -> list[tuple[tuple[Expr, ...], DType]]:
        shape = tuple([axis.dom.extent for axis in self.axis if axis.dom is not None])
        return [(shape, value.dtype) for value in self.body]

    @property
    def reduce_axis(self) -> tuple[IterVar, ...]:
        return self.body[0].axis if isinstance(self.body[0], Reduce) else ()

    @property
    def root_axes(self) -> tuple[IterVar, ...]:
        return (*self.axis, *self.reduce_axis)

    @property
    def input_tensors(self) -> list[Tensor]:
        return loaded_tensors(self.body)


@node
class ScanOp(Operation):
    """A recurrence: the first steps are those of `init`, the others those of `update`, which reads `states`."""

    scan_axis: IterVar = binds()
    init: tuple[Tensor, ...]
    update: tuple[Tensor, ...]
    state_placeholder: tuple[Tensor, ...]
    inputs: tuple[Tensor, ...]
    #: for each state, an axis for each dimension but the first
    spatial_axis_: tuple[IterVar, ...] = binds()

    def output_kinds(self) -> list[tuple[tuple[Expr, ...], DType]]:
        return [(state.shape, state.dtype) for state in self.state_placeholder]

    @property
    def root_axes(self) -> tuple[IterVar, ...]:
        return (self.scan_axis, *self.spatial_axis_)

    @property
    def input_tensors(self) -> list[Tensor]:
        return [*self.init, *self.update]

    def spatial_axes_of(self, index: int) -> tuple[IterVar, ...]:
        """Return the axes of a state's dimensions but the first."""
        begin = sum(len(state.shape) - 1 for state in self.state_placeholder[:index])
        return self.spatial_axis_[begin : begin + len(self.state_placeholder[index].shape) - 1]


@node
class ExternOp(Operation):
    """Outputs that a statement computes, which knows the tensors by buffers."""

    inputs: tuple[Tensor, ...]
    input_placeholders: tuple[Buffer, ...]
    output_placeholders: tuple[Buffer, ...]
    body: Stmt

    def output_kinds(self) -> list[tuple[tuple[Expr, ...], DType]]:
        return [(buffer.shape, buffer.dtype) for buffer in self.output_placeholders]

    @property
    def input_tensors(self) -> list[Tensor]:
        return list(dict.fromkeys(self.inputs))


@node
class HybridOp(ExternOp):
    """Outputs that the statement of a hybrid function computes; its loops are axes of the stage."""

    axis: tuple[IterVar, ...] = binds()

    @property
    def root_axes(self) -> tuple[IterVar, ...]:
        return self.axis


@node
class TensorComputeOp(Operation):
    """Outputs computed by calls of a tensor intrinsic on regions; the last axes are those of the intrinsic."""

    axis: tuple[IterVar, ...] = binds()
    reduce_axis: tuple[IterVar, ...] = binds()
    schedulable_ndim: int
    intrin: TensorIntrin
    inputs: tuple[Tensor, ...]
    input_regions: tuple[tuple[Range, ...], ...]
    scalar_inputs: tuple[Expr, ...]

    def output_kinds(self) -> list[tuple[tuple[Expr, ...], DType]]:
        shape = tuple([axis.dom.extent for axis in self.axis if axis.dom is not None])
        return [(shape, buffer.dtype) for buffer in self.intrin.buffers[len(self.inputs) :]]

    @property
    def root_axes(self) -> tuple[IterVar, ...]:
        return (*self.axis, *self.reduce_axis)

    @property
    def input_tensors(self) -> list[Tensor]:
        return list(dict.fromkeys((*self.inputs, *loaded_tensors(self.scalar_inputs))))


def as_shape(shape: Shape, where: str) -> tuple[Expr, ...]:
    """Return extents as expressions; one alone is that of a vector. Raises `WrongType`."""
    sizes: tuple[Expr | float, ...] = (shape,) if isinstance(shape, (Expr, int)) else tuple(shape)
    extents = tuple([as_expr(int(size) if isinstance(size, float) and size.is_integer() else size) for size in sizes])
    for extent in extents:
        if not extent.dtype.is_integer:
            raise WrongType(where=where, expected="integers as extents", got=extent.dtype)
    return extents


def topological_order(outputs: Iterable[Operation]) -> list[Operation]:
    """Return the operations that lead to these, inputs first."""
    order: dict[Operation, None] = {}
    stack = [(op, False) for op in reversed(list(dict.fromkeys(outputs)))]
    while stack:
        op, is_done = stack.pop()
        if is_done:
            order[op] = None
        elif op not in order:
            stack.append((op, True))
            stack += [(tensor.op, False) for tensor in reversed(op.input_tensors)]
    return list(order)
