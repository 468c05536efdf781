"""Operators about shapes, which have no tensors as results, and assertions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.frontend.torch.values import Operand, Size, is_tensor, product
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.expr import Constant
from tvmscript.ir.relax.op import value
from tvmscript.ir.relax.struct_info import ShapeStructInfo
from tvmscript.ir.tir import Var

#: conditions that are known to hold where the model runs
for _name in [
    "_assert_scalar",
    "_assert_tensor_metadata",
    "_assert_async",
    "sym_constrain_range",
    "sym_constrain_range_for_size",
    "_functional_assert_async",
    "_functional_assert_scalar",
    "_functional_sym_constrain_range",
    "_check",
    "_check_is_size",
    "_enter_autocast",
    "_exit_autocast",
    "_guards_fn",
]:
    register(lambda ctx, *args, **options: None, _name)


@converts("size", "sym_size")
def _size(ctx: Context, x: RelaxExpr, dim: int | None = None) -> list[Size] | Size:
    shape = ctx.shape(x)
    return shape if dim is None else shape[ctx.axis(x, dim)]


@converts("numel", "sym_numel", "nelement")
def _numel(ctx: Context, x: RelaxExpr) -> Size:
    return product(ctx.shape(x))


@converts("dim", "ndimension")
def _dim(ctx: Context, x: RelaxExpr) -> int:
    return ctx.ndim(x)


@converts("len")
def _len(ctx: Context, x: RelaxExpr | Sequence[object]) -> Size:
    return ctx.shape(x)[0] if isinstance(x, RelaxExpr) else len(x)


@converts("_shape_as_tensor")
def _shape_as_tensor(ctx: Context, x: RelaxExpr) -> RelaxExpr:
    return ctx.call(value.shape_to_tensor, ctx.sizes(ctx.shape(x)))


@converts("getattr")
def _getattr(ctx: Context, x: object, name: str, default: object = None) -> object:
    """Return an attribute of a value while the model is imported."""
    if isinstance(x, tuple) and name in ("values", "indices"):
        return x[name == "indices"]
    if not is_tensor(x) or not isinstance(x, RelaxExpr):
        return ctx.fail(f"a value has no attribute {name} here")
    attributes: dict[str, Callable[[], object]] = {
        "shape": lambda: ctx.shape(x),
        "dtype": lambda: ctx.dtype(x),
        "ndim": lambda: ctx.ndim(x),
        "device": lambda: None,
        "is_cuda": lambda: False,
        "requires_grad": lambda: False,
        "data": lambda: x,
        "T": lambda: ctx.permute(x, list(range(ctx.ndim(x)))[::-1]),
        "mT": lambda: ctx.permute(x, [*range(ctx.ndim(x) - 2), -1, -2]),
    }
    return attributes[name]() if name in attributes else ctx.fail(f"a tensor has no attribute {name} here")


@converts("item", "_local_scalar_dense", "IntImplicit", "ScalarImplicit", "FloatImplicit")
def item(ctx: Context, x: RelaxExpr | Size) -> RelaxExpr | Size | float:
    """Return the one element: a number where it is known, a new size for integers, else a tensor of rank 0."""
    if not isinstance(x, RelaxExpr):
        return x
    if isinstance(x, Constant):
        number: int | float = x.data.item()
        return number
    scalar = ctx.reshape(x, [])
    if not ctx.dtype(x).startswith(("int", "uint")):
        return scalar
    shape = ctx.call(value.tensor_to_shape, ctx.reshape(ctx.cast(x, "int64"), [1]))
    size = Var(ctx.fresh("item"), "int64")
    ctx.builder.match_cast(shape, ShapeStructInfo((size,)))
    return size


@converts("sym_sum")
def _sym_sum(ctx: Context, sizes: Sequence[Size]) -> Size:
    total: Size = 0
    for size in sizes:
        total = total + size
    return total


@converts("sym_not")
def _sym_not(ctx: Context, x: bool) -> bool:
    return not x


@converts("sym_float", "sym_int")
def _sym_number(ctx: Context, x: Operand) -> Operand:
    return x
