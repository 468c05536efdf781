"""Kernels of Python functions over tensors: `BlockBuilder.call_te`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from tvmscript.ir.core import INT64, VOID, DType
from tvmscript.ir.core.module import VDevice
from tvmscript.ir.core.node import Node
from tvmscript.ir.relax.base import RelaxExpr
from tvmscript.ir.relax.errors import NoKernel
from tvmscript.ir.relax.expr import ShapeExpr, Tuple
from tvmscript.ir.relax.expr import Var as RelaxVar
from tvmscript.ir.relax.struct_info import PrimStructInfo, ShapeStructInfo, TensorStructInfo, TupleStructInfo
from tvmscript.ir.relax.symbolic_shape import size_vars
from tvmscript.ir.te.construct import placeholder
from tvmscript.ir.te.prim_func import create_prim_func
from tvmscript.ir.te.tensor import Tensor
from tvmscript.ir.tir import Expr, PrimFunc, Var, cast, rename_definitions, substitute


@dataclass(frozen=True)
class Kernel:
    """A kernel and the parts of its call."""

    func: PrimFunc
    args: tuple[RelaxExpr, ...]
    results: tuple[TensorStructInfo, ...]
    #: sizes that the kernel takes besides its tensors, None where there are none
    sizes: ShapeExpr | None


def kernel_from_te(func: Callable[..., Any], args: Sequence[object], kwargs: Mapping[str, object]) -> Kernel:
    """Return the kernel of the tensors that a function of tensors defines.

    Its parameters are the tensors and scalars among the arguments, the results, then the sizes that are no extent of a
    tensor. Raises `NoKernel`.
    """
    conversion = _Conversion(str(getattr(func, "__name__", func)))
    te_args = [conversion.convert(arg) for arg in args]
    te_kwargs = {name: conversion.convert(arg) for name, arg in kwargs.items()}
    output = func(*te_args, **te_kwargs)
    outputs: list[Any] = list(output) if isinstance(output, (list, tuple)) else [output]
    if not outputs or not all(isinstance(item, Tensor) for item in outputs):
        raise NoKernel(name=conversion.name, reason=f"its result is {output!r}, no tensor")
    sizes = conversion.sizes_beside(outputs)
    prim_func = create_prim_func([*conversion.params, *outputs, *sizes], "int64").without_attr("global_symbol")
    originals = {copy: size for size, copy in conversion.copies.items()}
    results = [
        TensorStructInfo(
            [cast(INT64, substitute(extent, originals)) for extent in tensor.shape],
            tensor.dtype,
            vdevice=conversion.vdevice,
        )
        for tensor in outputs
    ]
    # sizes that the function captures are those of the graph
    outside = ShapeExpr(tuple([originals.get(size, size) for size in sizes])) if sizes else None
    if not originals.keys() >= set(sizes):
        prim_func = rename_definitions(prim_func)
    return Kernel(prim_func, tuple(conversion.args), tuple(results), outside)


class _Conversion:
    """Arguments of the graph as arguments of a function of tensors. Sizes are copied: a kernel defines its own."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.copies: dict[Any, Any] = {}
        #: tensors and scalars of the kernel, and the values of the graph that they stand for
        self.params: list[Tensor | Var] = []
        self.args: list[RelaxExpr] = []
        #: expressions of sizes among the arguments
        self.expressions: list[Expr] = []
        self.vdevice: VDevice | None = None

    def convert(self, arg: object) -> Any:
        """Return the argument of the function. Raises `NoKernel`."""
        if isinstance(arg, RelaxExpr):
            return self._relax_value(arg)
        if isinstance(arg, Expr):
            expr = self._copy(arg)
            self.expressions.append(expr)
            return expr
        items: Any = arg
        if isinstance(arg, (list, tuple)):
            return [self.convert(item) for item in items]
        if isinstance(arg, Mapping):
            return {key: self.convert(item) for key, item in items.items()}
        if arg is None or isinstance(arg, (bool, int, float, str, DType, Node)) or callable(arg):
            return arg
        raise NoKernel(name=self.name, reason=f"it has the argument {arg!r}")

    def _relax_value(self, arg: RelaxExpr) -> Any:
        info = arg.struct_info
        if isinstance(info, TensorStructInfo):
            return self._tensor(arg, info)
        if isinstance(info, ShapeStructInfo) and info.values is not None:
            return [self.convert(value) for value in info.values]
        if isinstance(info, PrimStructInfo):
            return self._scalar(arg, info) if info.value is None else self.convert(info.value)
        if isinstance(info, TupleStructInfo):
            fields = arg.fields if isinstance(arg, Tuple) else [arg[index] for index in range(len(info.fields))]
            return [self.convert(field) for field in fields]
        value = getattr(arg, "value", None)
        if isinstance(value, (str, DType)):
            return value
        raise NoKernel(name=self.name, reason=f"an argument has the struct info {info}")

    def _tensor(self, arg: RelaxExpr, info: TensorStructInfo) -> Tensor:
        if info.extents is None or info.dtype is VOID:
            raise NoKernel(name=self.name, reason=f"shape or dtype of an argument are unknown: {info}")
        letter = ascii_uppercase[sum(isinstance(param, Tensor) for param in self.params) % len(ascii_uppercase)]
        name = arg.name_hint if isinstance(arg, RelaxVar) else letter
        tensor = placeholder([self._copy(extent) for extent in info.extents], info.dtype, name)
        self.params.append(tensor)
        self.args.append(arg)
        self.vdevice = self.vdevice or info.vdevice
        return tensor

    def _scalar(self, arg: RelaxExpr, info: PrimStructInfo) -> Var:
        scalar = Var(arg.name_hint if isinstance(arg, RelaxVar) else f"scalar_{len(self.params)}", info.dtype)
        self.params.append(scalar)
        self.args.append(arg)
        return scalar

    def _copy(self, expr: Expr) -> Expr:
        for size in size_vars(expr):
            if size not in self.copies:
                self.copies[size] = Var(size.name, size.dtype)
        return substitute(expr, self.copies)

    def sizes_beside(self, outputs: Sequence[Tensor]) -> list[Any]:
        """Return the sizes that are no extent of a tensor, in order of their first use."""
        tensors = [*(param for param in self.params if isinstance(param, Tensor)), *outputs]
        extents = [extent for tensor in tensors for extent in tensor.shape]
        bound = set[Any]([*extents, *self.params])
        used = dict.fromkeys(size for expr in (*self.expressions, *extents) for size in size_vars(expr))
        return [size for size in used if size not in bound]
