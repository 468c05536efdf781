"""`Context`: what a converter of an operator of torch sees of the import."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NoReturn

from tvmscript.frontend.errors import InvalidModel
from tvmscript.frontend.torch.values import (
    Operand,
    Size,
    are_same,
    as_size,
    constant,
    is_floating,
    is_tensor,
    promote,
    sizes_of,
    tensor_info,
)
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import Constant, PrimValue, TupleGetItem, Var
from tvmscript.ir.relax.op import binary, create, datatype, index, manipulate
from tvmscript.ir.relax.op.reshape import reshape
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.op.search import where
from tvmscript.ir.relax.op.ternary import clip
from tvmscript.ir.relax.op.value import shape_to_tensor
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo
from tvmscript.ir.tir import Expr, FloatImm, IntImm, const
from tvmscript.ir.tir.intrin.derived import max_value, min_value


class Context:
    """The function under construction and the place in the model that is converted."""

    def __init__(self, source: str, builder: BlockBuilder, default_dtype: str = "float32") -> None:
        self.builder = builder
        #: dtype of Python floats
        self.default_dtype = default_dtype
        #: dtype of Python floats that bound the elements of a tensor
        self.dtype_of_bounds = "float32"
        #: whether images that are resized have their channels last
        self.has_channels_last = False
        #: whether conversions that change nothing are written, as TVM writes those of torch.fx
        self.writes_all_conversions = False
        #: whether the model uses a result of the operation by its number
        self.uses_result: Callable[[int], bool] = lambda index: True
        self._source = source
        self._place = ""

    def begin(self, place: str) -> None:
        """Say which operation of the model is converted next."""
        self._place = place

    def fail(self, reason: str, cause: Exception | None = None) -> NoReturn:
        """Raise `InvalidModel` for the operation that is converted."""
        raise InvalidModel(source=self._source, place=self._place, reason=reason) from cause

    # ---- emission

    def call(self, operator: Operator, *args: object, **attrs: object) -> Var:
        """Emit a call of an operator."""
        return self.emit(script_function_of(operator)(*args, **attrs))

    def emit(self, value: RelaxExpr | Sequence[RelaxExpr]) -> Var:
        """Bind a value to a new variable; a sequence is a tuple."""
        return self.builder.emit(value)

    def kernel(self, function: Callable[..., object], *args: object, **options: object) -> Var:
        """Emit a call of the kernel that a function of tensors defines."""
        return self.builder.emit_te(function, *args, **options)

    def fresh(self, hint: str) -> str:
        """Return a new name."""
        return self.builder.get_unique_name(hint)

    # ---- what is known about tensors

    def info(self, x: object) -> TensorStructInfo:
        """Return what is known about a tensor. Raises `InvalidModel` for other values."""
        info = tensor_info(x) if isinstance(x, RelaxExpr) else None
        return info or self.fail(f"a tensor is expected, not {type(x).__name__}")

    def dtype(self, x: object) -> str:
        """Return the dtype of a tensor."""
        return str(self.info(x).dtype)

    def ndim(self, x: object) -> int:
        """Return the rank of a tensor. Raises `InvalidModel` where it is unknown."""
        ndim = self.info(x).ndim
        return ndim if ndim >= 0 else self.fail("the rank of a tensor is unknown")

    def shape(self, x: object) -> list[Size]:
        """Return the extents of a tensor. Raises `InvalidModel` where they are unknown."""
        sizes = sizes_of(self.info(x).shape)
        return self.fail("the shape of a tensor is unknown") if sizes is None else sizes

    def static(self, size: object, what: str) -> int:
        """Return an extent that must be known. Raises `InvalidModel`."""
        if isinstance(size, int):
            return size
        return self.fail(f"{what} must be known when the model is imported, not {size}")

    def static_shape(self, x: object) -> list[int]:
        """Return extents that must be known. Raises `InvalidModel`."""
        return [self.static(size, "the shape") for size in self.shape(x)]

    def axis(self, x: object, dim: int) -> int:
        """Return an axis counted from the front. Raises `InvalidModel`."""
        return self.axis_of(dim, self.ndim(x))

    def axis_of(self, dim: int, rank: int) -> int:
        """Return an axis of a tensor of a rank, counted from the front. Raises `InvalidModel`."""
        if not -rank <= dim < max(rank, 1):
            self.fail(f"there is no dimension {dim} in a tensor of rank {rank}")
        return dim % rank if rank else 0

    # ---- conversions

    def cast(self, x: RelaxExpr, dtype: str) -> RelaxExpr:
        """Convert a tensor, unless it has the dtype."""
        return x if self.dtype(x) == dtype else self.call(datatype.astype, x, dtype)

    def convert(self, x: RelaxExpr, dtype: str) -> RelaxExpr:
        """Convert a tensor where the model says so."""
        return self.call(datatype.astype, x, dtype) if self.writes_all_conversions else self.cast(x, dtype)

    def as_float(self, x: RelaxExpr) -> RelaxExpr:
        """Convert integers and truth values to floats."""
        return x if is_floating(self.dtype(x)) else self.cast(x, self.default_dtype)

    def common_dtype(self, *operands: Operand) -> str:
        """Return the dtype to which torch converts operands."""
        return promote(operands, self.default_dtype)

    def tensor(self, value: Operand, dtype: str) -> RelaxExpr:
        """Return an operand as a tensor, or as a scalar, of a dtype."""
        if isinstance(value, RelaxExpr):
            return self.cast(value, dtype) if is_tensor(value) else value
        if isinstance(value, Expr):
            return PrimValue(value.astype(dtype))
        return constant(value, dtype)

    def binary(self, operator: Operator, a: Operand, b: Operand, dtype: str | None = None) -> Var:
        """Emit an operator of two operands, converted to their common dtype or to `dtype`."""
        common = dtype or self.common_dtype(a, b)
        return self.call(operator, self.tensor(a, common), self.tensor(b, common))

    def scaled(self, x: RelaxExpr, factor: Operand) -> RelaxExpr:
        """Multiply a tensor by a number, unless it is 1."""
        if isinstance(factor, (int, float)) and factor == 1:
            return x
        return self.call(binary.multiply, x, self.tensor(factor, self.dtype(x)))

    def clip(self, x: RelaxExpr, low: float, high: float) -> Var:
        """Emit the elements that are nearest within bounds."""
        bounds = [
            const(bound, self.dtype_of_bounds) if isinstance(bound, float) and math.isfinite(bound) else bound
            for bound in (low, high)
        ]
        return self.call(clip, x, *bounds)

    def truth(self, x: RelaxExpr) -> RelaxExpr:
        """Return whether elements differ from zero."""
        return self.cast(x, "bool")

    def select(self, condition: RelaxExpr, a: Operand, b: Operand) -> Var:
        """Emit a choice between two operands, converted to their common dtype."""
        common = self.common_dtype(a, b)
        return self.call(where, self.truth(condition), self.tensor(a, common), self.tensor(b, common))

    def replace_where(self, condition: RelaxExpr, value: Operand, x: RelaxExpr) -> Var:
        """Emit a tensor with other elements where a condition holds."""
        return self.call(where, self.truth(condition), self.tensor(value, self.dtype(x)), x)

    def limits(self, dtype: str) -> tuple[float, float]:
        """Return the largest and the smallest number of a dtype."""
        high, low = max_value(dtype), min_value(dtype)
        assert isinstance(high, (IntImm, FloatImm))
        assert isinstance(low, (IntImm, FloatImm))
        return high.value, low.value

    # ---- shapes

    def sizes(self, extents: Sequence[object]) -> ShapeExpr:
        """Return extents as a shape. Raises `InvalidModel` for those that are tensors."""
        for extent in extents:
            if not isinstance(extent, (int, Expr)):
                self.fail(f"an extent is {type(extent).__name__}, no size")
        return ShapeExpr(tuple(extents))

    def full(self, extents: Sequence[Size], value: Operand, dtype: str) -> Var:
        """Emit a tensor of equal elements."""
        if isinstance(value, Expr):
            value = self.reshape(self.call(shape_to_tensor, self.sizes([value])), [])
        return self.call(create.full, self.sizes(extents), self.tensor(value, dtype), dtype)

    def reshape(self, x: RelaxExpr, extents: Sequence[Size]) -> RelaxExpr:
        """Emit a tensor of another shape, unless it has that shape; one extent may be -1."""
        sizes = sizes_of(self.info(x).shape)
        extents = [as_size(extent) if isinstance(extent, Expr) else extent for extent in extents]
        if sizes is not None and -1 in extents and 0 in [*sizes, *extents]:
            extents = [0 if isinstance(extent, int) and extent == -1 else extent for extent in extents]
        if sizes is not None and -1 not in extents and are_same(sizes, extents):
            return x
        shape = self.sizes(extents)  # checks them
        # of a list 0 is an extent of x
        return self.call(reshape, x, list(extents) if -1 in extents else shape)

    def broadcast(self, x: RelaxExpr, extents: Sequence[Size]) -> RelaxExpr:
        """Emit a tensor that is repeated along axes of one element, unless it has the shape."""
        sizes = sizes_of(self.info(x).shape)
        if sizes is not None and are_same(sizes, extents):
            return x
        return self.call(manipulate.broadcast_to, x, self.sizes(extents))

    def permute(self, x: RelaxExpr, axes: Sequence[int]) -> Var:
        """Emit a tensor with its axes in another order."""
        return self.call(manipulate.permute_dims, x, list(axes))

    def slice(self, x: RelaxExpr, axis: int, begin: Size, end: Size, step: int = 1) -> Var:
        """Emit a part of an axis, whose bounds are not negative."""
        return self.call(index.strided_slice, x, [axis], [begin], [end], [step])

    def item(self, x: RelaxExpr, place: int) -> Var:
        """Emit an item of a tuple."""
        return self.emit(TupleGetItem(x, place))

    def constant(self, value: object, dtype: str) -> Constant:
        """Return a constant of numbers."""
        return constant(value, dtype)

    def tile(self, x: RelaxExpr, repeats: Sequence[Size]) -> Var:
        """Emit a tensor that is repeated as a whole along its axes, new ones before them included."""
        if all(isinstance(count, int) for count in repeats):
            return self.call(manipulate.tile, x, list(repeats))
        ones: list[Size] = [1] * (len(repeats) - self.ndim(x))
        pairs = list(zip(repeats, ones + self.shape(x), strict=True))
        apart = self.reshape(x, [size for _, extent in pairs for size in (1, extent)])
        wide = self.broadcast(apart, [size for pair in pairs for size in pair])
        return self.call(reshape, wide, self.sizes([count * extent for count, extent in pairs]))

    def arange(self, end: Size, dtype: str = "int64") -> Var:
        """Emit the numbers from 0 up to an end."""
        return self.call(create.arange, 0, end, 1, dtype=dtype)

    def number(self, value: float | Expr | None, dtype: str) -> Expr:
        """Return a number of the tensor level."""
        return value if isinstance(value, Expr) else const(value or 0, dtype)
