"""Values of a torch graph while it is imported, and what is known about them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from tvmscript.backends.runtime.small_floats import encode
from tvmscript.ir.core import DType
from tvmscript.ir.core.values.float_formats import FORMATS
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.struct_info import ShapeExpr, TensorStructInfo, as_sizes
from tvmscript.ir.relax.symbolic_shape import shapes_provably_equal
from tvmscript.ir.tir import Expr, IntImm

#: an extent: a Python integer where it is known
Size = int | Expr
#: a tensor, or a number of Python or of the tensor level
Operand = RelaxExpr | Expr | bool | int | float


def tensor_info(x: RelaxExpr) -> TensorStructInfo | None:
    """Return what is known about a tensor, None where the value is none."""
    return x.struct_info if isinstance(x.struct_info, TensorStructInfo) else None


def is_tensor(value: object) -> bool:
    """Whether a value of the graph is a tensor."""
    return isinstance(value, RelaxExpr) and tensor_info(value) is not None


def as_size(extent: Size) -> Size:
    """Return a Python integer where the extent is known."""
    return extent.value if isinstance(extent, IntImm) else extent


def sizes_of(shape: RelaxExpr | None) -> list[Size] | None:
    """Return the extents of a shape, None where they are unknown."""
    return [as_size(extent) for extent in shape.values] if isinstance(shape, ShapeExpr) else None


def are_same(a: Sequence[Size], b: Sequence[Size]) -> bool:
    """Whether two shapes are provably equal."""
    return shapes_provably_equal(as_sizes(a), as_sizes(b))


def product(extents: Iterable[Size]) -> Size:
    """Return the product of extents."""
    return math.prod(extents)


def constant(value: object, dtype: str) -> Constant:
    """Return a constant of a number or of nested lists of numbers."""
    kind = DType(dtype)
    if kind in FORMATS:
        return Constant(encode(np.asarray(value, "float32"), kind), kind)
    return Constant(np.asarray(value, dtype), kind)


def is_floating(dtype: str) -> bool:
    """Whether a dtype has floats."""
    return "float" in dtype


def promote_dtypes(a: str, b: str) -> str:
    """Return the dtype to which torch converts two tensors of the same priority."""
    if a == b:
        return a
    first, second = sorted((a, b), key=lambda dtype: (_rank(dtype), DType(dtype).bits))
    if _rank(first) == _rank(second):
        if DType(first).bits == DType(second).bits and first != second:
            return "float32" if is_floating(first) else _signed_for(first, second)
        if second.startswith("uint") and first.startswith("int"):
            return _signed_for(second, first)
    return second


def _rank(dtype: str) -> int:
    return 0 if dtype == "bool" else 2 if is_floating(dtype) else 1


def _signed_for(*dtypes: str) -> str:
    """Return the signed dtype that holds the values of all of these."""
    widest = max(DType(dtype).bits for dtype in dtypes if dtype.startswith("uint"))
    return f"int{min(2 * widest, 64)}"


def promote(operands: Sequence[Operand], default: str = "float32") -> str:
    """Return the common dtype of tensors and numbers. Tensors of rank 0 and numbers decide only by their kind."""
    priorities: tuple[list[str], list[str], list[str]] = ([], [], [])
    for operand in operands:
        if isinstance(operand, RelaxExpr):
            info = tensor_info(operand)
            if info is not None:
                priorities[info.ndim == 0].append(str(info.dtype))
        else:
            priorities[2].append(_dtype_of_number(operand, default))
    common = ""
    for dtypes in priorities:
        for dtype in _promoted(dtypes):
            if not common or _rank(dtype) > _rank(common):
                common = dtype
    return common


def _promoted(dtypes: list[str]) -> list[str]:
    """Return the one dtype of a priority, in a list, which is empty where the priority has none."""
    for dtype in dtypes[1:]:
        dtypes[0] = promote_dtypes(dtypes[0], dtype)
    return dtypes[:1]


def _dtype_of_number(number: Expr | bool | int | float, default: str) -> str:
    if isinstance(number, Expr):
        return default if number.dtype.is_floating else "int64"
    return "bool" if isinstance(number, bool) else "int64" if isinstance(number, int) else default
