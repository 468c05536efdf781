"""Conversions of dtypes, and operators that leave a tensor as it is."""

from __future__ import annotations

from tvmscript.frontend.torch.context import Context
from tvmscript.frontend.torch.registry import converts, register
from tvmscript.frontend.torch.values import Operand, is_floating
from tvmscript.ir.core import DType
from tvmscript.ir.core.errors import InvalidDType
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.tir import Expr

#: operators that mean nothing where gradients, memory and devices are not modelled
_SAME = [
    "alias",
    "clone",
    "contiguous",
    "cpu",
    "data",
    "detach",
    "lift",
    "lift_fresh",
    "lift_fresh_copy",
    "pin_memory",
    "positive",
    "pos",
    "requires_grad",
    "resolve_conj",
    "resolve_neg",
    "to_dense",
    "to_sparse",
    "coalesce",
    "stochastic_depth",
    "set_grad_enabled",
    "wait_tensor",
    "dropout",
    "alpha_dropout",
    "feature_dropout",
    "feature_alpha_dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "bernoulli",
]
#: methods that convert to a dtype
_METHODS = {
    "float": "float32",
    "half": "float16",
    "double": "float64",
    "bfloat16": "bfloat16",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
    "Float": "float32",
    "Int": "int64",
    "Bool": "bool",
}
#: Python's types as dtypes of torch
_TYPES = {"float": "float32", "int": "int64", "double": "float64", "half": "float16", "long": "int64"}


def _register_same(name: str) -> None:
    register(lambda ctx, x, *_, **__: x, name)


def _register_method(name: str, dtype: str) -> None:
    numbers = float if dtype.startswith("float") else bool if dtype == "bool" else int

    def convert(ctx: Context, x: Operand) -> object:
        if isinstance(x, RelaxExpr):
            return ctx.convert(x, dtype)
        return x if isinstance(x, Expr) else numbers(x)

    register(convert, name)


for _name in _SAME:
    _register_same(_name)
for _name, _dtype in _METHODS.items():
    _register_method(_name, _dtype)


def dtype_name(name: str) -> str | None:
    """Return the dtype that a text names, None where it names a device."""
    name = _TYPES.get(name, name.removeprefix("torch.").removesuffix("Tensor").lower())
    try:
        return str(DType(_TYPES.get(name, name)))
    except InvalidDType:
        return None


@converts("to", "_to_copy", "type", "astype", "asarray", "prims_convert_element_type", "convert_element_type")
def _to(ctx: Context, x: RelaxExpr, *targets: object, dtype: str | None = None, other: object = None) -> RelaxExpr:
    for target in (dtype, other, *targets):
        if isinstance(target, RelaxExpr):
            return ctx.convert(x, ctx.dtype(target))
        name = dtype_name(target) if isinstance(target, str) else None
        if name is not None:
            return ctx.convert(x, name)
    return x


@converts("type_as")
def _type_as(ctx: Context, x: RelaxExpr, other: RelaxExpr) -> RelaxExpr:
    return ctx.convert(x, ctx.dtype(other))


@converts("is_floating_point")
def _is_floating_point(ctx: Context, x: RelaxExpr) -> bool:
    return is_floating(ctx.dtype(x))


@converts("copy")
def _copy(ctx: Context, x: RelaxExpr, source: RelaxExpr) -> RelaxExpr:
    return ctx.broadcast(ctx.cast(source, ctx.dtype(x)), ctx.shape(x))


@converts("native_dropout")
def _native_dropout(ctx: Context, x: RelaxExpr, p: float, train: bool | None = None) -> tuple[RelaxExpr, None]:
    """Return the input. The mask of the elements that are kept is no result."""
    return x, None
