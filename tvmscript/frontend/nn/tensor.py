"""`Tensor`: a tensor of the graph under construction, with the operators of Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tvmscript.frontend.nn.errors import NotExporting
from tvmscript.ir.core import WrongType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.builder import BlockBuilder
from tvmscript.ir.relax.expr import DataflowVar, TupleGetItem, Var
from tvmscript.ir.relax.struct_info import ObjectStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.tir import Expr, FloatImm, IntImm
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.language import R

#: a size: a number, a name, which makes a new size variable, or an expression of sizes
Size = int | str | Expr
#: a number that becomes a constant of the dtype of the tensor beside it
Scalar = int | float | IntImm | FloatImm


def current_builder() -> BlockBuilder:
    """Return the builder of the function under construction. Raises `NotExporting`."""
    builder = BlockBuilder.current()
    if builder is None:
        raise NotExporting(what="an operator of nn", needed="a function under construction: call export_tvm")
    return builder


class Tensor:
    """A tensor of known rank, shape and dtype. Operators bind their result at once."""

    def __init__(self, *, _expr: RelaxExpr) -> None:
        """Raises `WrongType` for an expression that is no tensor of known shape."""
        info = _expr.struct_info
        if not isinstance(info, TensorStructInfo) or getattr(info.shape, "values", None) is None:
            raise WrongType(where="nn.Tensor", expected="a tensor of known shape", got=info)
        self.expr: Any = _expr

    @property
    def _expr(self) -> Any:
        """The expression, under TVM's name."""
        return self.expr

    @_expr.setter
    def _expr(self, expr: RelaxExpr) -> None:
        self.expr = expr

    @staticmethod
    def from_const(data: Any) -> Tensor:
        """Return the tensor of a NumPy array or a number."""
        return Tensor(_expr=R.const(data))

    @staticmethod
    def from_scalar(data: int | float, dtype: str) -> Tensor:
        """Return a number as a tensor of rank 0."""
        return Tensor(_expr=R.const(data, dtype=dtype))

    @staticmethod
    def from_struct_info(struct_info: TensorStructInfo, name: str = "tensor") -> Tensor:
        """Return a new variable as a tensor."""
        return Tensor(_expr=Var(name, struct_info))

    @staticmethod
    def from_ty(ty: TensorStructInfo, name: str = "tensor") -> Tensor:
        """Return a new variable as a tensor, TVM 0.27's name of `from_struct_info`."""
        return Tensor.from_struct_info(ty, name)

    @staticmethod
    def placeholder(shape: Sequence[Size], dtype: str, name: str = "tensor") -> Tensor:
        """Return a new variable as a tensor; each name in the shape makes a size variable.

        It also describes results of external functions and kernels.
        """
        sizes = tuple([SizeVar(size, "int64") if isinstance(size, str) else size for size in shape])
        return Tensor(_expr=Var(name, TensorStructInfo(sizes, dtype)))

    @property
    def shape(self) -> list[Any]:
        """The sizes: numbers, expressions where they are not constant."""
        return [size.value if isinstance(size, IntImm) else size for size in self.expr.struct_info.shape.values]

    @property
    def ndim(self) -> int:
        """The rank."""
        rank: int = self.expr.struct_info.ndim
        return rank

    @property
    def dtype(self) -> str:
        """The dtype by name."""
        return str(self.expr.struct_info.dtype)

    def __repr__(self) -> str:
        return f'Tensor({self.shape}, "{self.dtype}")'

    # ---- operators of Python; a number has the dtype of the tensor

    def _operand(self, other: Tensor | Scalar) -> Any:
        if isinstance(other, Tensor):
            return other.expr
        return R.const(other.value if isinstance(other, (IntImm, FloatImm)) else other, dtype=self.dtype)

    def __add__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.add(self.expr, self._operand(other)), "add")

    def __radd__(self, other: Scalar) -> Tensor:
        return self + other

    def __sub__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.subtract(self.expr, self._operand(other)), "subtract")

    def __rsub__(self, other: Scalar) -> Tensor:
        return emit(R.subtract(self._operand(other), self.expr), "subtract")

    def __mul__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.multiply(self.expr, self._operand(other)), "mul")

    def __rmul__(self, other: Scalar) -> Tensor:
        return self * other

    def __truediv__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.divide(self.expr, self._operand(other)), "divide")

    def __lt__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.less(self.expr, self._operand(other)), "less")

    def __le__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.less_equal(self.expr, self._operand(other)), "less_equal")

    def __gt__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.greater(self.expr, self._operand(other)), "greater")

    def __ge__(self, other: Tensor | Scalar) -> Tensor:
        return emit(R.greater_equal(self.expr, self._operand(other)), "greater_equal")

    def maximum(self, other: Tensor | Scalar) -> Tensor:
        """Return the larger element of both."""
        return emit(R.maximum(self.expr, self._operand(other)), "maximum")

    def minimum(self, other: Tensor | Scalar) -> Tensor:
        """Return the smaller element of both."""
        return emit(R.minimum(self.expr, self._operand(other)), "minimum")

    def astype(self, dtype: str) -> Tensor:
        """Return the tensor converted to another dtype; itself where it has the dtype."""
        return self if self.dtype == dtype else emit(R.astype(self.expr, dtype), "astype")

    def reshape(self, *shape: Any) -> Tensor:
        """Return the elements in another shape."""
        return emit(R.reshape(self.expr, shape), "reshape")

    def permute_dims(self, *axes: int) -> Tensor:
        """Return the tensor with its axes in this order."""
        return emit(R.permute_dims(self.expr, list(axes)), "permute_dims")

    def repeat(self, repeats: int, axis: int | None = None) -> Tensor:
        """Return the tensor with each element repeated."""
        return emit(R.repeat(self.expr, repeats, axis), "repeat")


class Object:
    """A value of the graph that is no tensor, such as a cache."""

    def __init__(self, *, _expr: RelaxExpr, _name: str) -> None:
        """Raises `WrongType` for an expression that is no object."""
        expr = _expr if isinstance(_expr, Var) else current_builder().emit(_expr, _name)
        if type(expr.struct_info) is not ObjectStructInfo:
            raise WrongType(where="nn.Object", expected="an object", got=expr.struct_info)
        self.expr: Any = expr

    @property
    def _expr(self) -> Any:
        """The expression, under TVM's name."""
        return self.expr


#: a tensor, or nested tuples of tensors
Tensors = Tensor | tuple["Tensors", ...]


def wrap_nested(expr: Any, name: str) -> Any:
    """Bind an expression to a variable of this name, and return it as a tensor, or as a tuple of tensors.

    Raises `WrongType` for other values.
    """
    value = expr if isinstance(expr, DataflowVar) else current_builder().emit(expr, name)
    info = value.struct_info
    if isinstance(info, TensorStructInfo):
        return Tensor(_expr=value)
    if isinstance(info, TupleStructInfo):
        count = len(info.fields)
        return tuple([wrap_nested(TupleGetItem(value, index), f"{name}.{index}") for index in range(count)])
    raise WrongType(where=f"nn.op {name}", expected="a tensor or a tuple of tensors", got=info)


def emit(expr: Any, name: str) -> Tensor:
    """Bind an expression that is a tensor to a variable of this name."""
    tensor: Tensor = wrap_nested(expr, name)
    return tensor
