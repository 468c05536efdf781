"""Struct info of a function call, and erasure of size variables that leave their scope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from tvmscript.ir.core import Node, Span
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.errors import InvalidCall
from tvmscript.ir.relax.struct_info import (
    FuncStructInfo,
    ObjectStructInfo,
    PrimStructInfo,
    ShapeExpr,
    ShapeStructInfo,
    TensorStructInfo,
    TupleStructInfo,
)
from tvmscript.ir.relax.struct_info_lattice import BaseCheck, BaseCheckResult
from tvmscript.ir.relax.symbolic_shape import definable_tir_vars_in_struct_info, simplify_size, size_vars
from tvmscript.ir.tir import Expr, Var, substitute

InfoT = TypeVar("InfoT", bound=StructInfo)

#: TVM's rule for external functions: the `sinfo_args` of the call are its struct info
BY_SINFO_ARGS = "tvm.relax.struct_info.infer_by_sinfo_args"

#: size variable -> its replacement, None where it is out of scope
SizeMap = Callable[[Var], Expr | None]


class _Eraser:
    """Replaces size variables in struct info, and erases sizes whose variables are out of scope. Unchanged struct info
    is returned as the same object.
    """

    def __init__(self, sizes: SizeMap, shapes: Mapping[Any, RelaxExpr]) -> None:
        self.sizes = sizes
        self.shapes = shapes

    def erase(self, info: StructInfo) -> StructInfo:
        if isinstance(info, TensorStructInfo):
            return self._tensor(info)
        if isinstance(info, DTensorStructInfo):
            return info.rebuild(tensor_sinfo=self._tensor(info.tensor_sinfo))
        if isinstance(info, ShapeStructInfo) and info.values is not None:
            values = self._sizes(info.values)
            if values is info.values:
                return info
            return ShapeStructInfo(values) if values is not None else ShapeStructInfo(ndim=info.ndim)
        if isinstance(info, TupleStructInfo):
            fields = tuple(self.erase(field) for field in info.fields)
            return info if all(a is b for a, b in zip(fields, info.fields, strict=True)) else TupleStructInfo(fields)
        if isinstance(info, PrimStructInfo) and info.value is not None:
            value = self._size(info.value)
            return info if value is info.value else PrimStructInfo(info.dtype, value)
        if isinstance(info, FuncStructInfo) and info.params is not None:
            return self._function(info, info.params)
        return info

    def _function(self, info: FuncStructInfo, params: tuple[StructInfo, ...]) -> FuncStructInfo:
        """Erase outer variables; those that the parameters define are bound by the function."""
        bound = {var for param in params for var in definable_tir_vars_in_struct_info(param)}
        inner = _Eraser(lambda var: var if var in bound else self.sizes(var), self.shapes)
        new_params = tuple(inner.erase(param) for param in params)
        ret = inner.erase(info.ret)
        if ret is info.ret and all(a is b for a, b in zip(new_params, params, strict=True)):
            return info
        return info.replace(params=new_params, ret=ret)

    def _tensor(self, info: TensorStructInfo) -> TensorStructInfo:
        if info.shape is None:
            return info
        shape: RelaxExpr | None
        if info.shape.is_name:
            shape = self.shapes.get(info.shape)
        else:
            values = self._sizes(info.extents or ())
            shape = info.shape if values is info.extents else None if values is None else ShapeExpr(values)
        if shape is info.shape:
            return info
        return TensorStructInfo(shape, info.dtype, info.ndim if shape is None else -1, info.vdevice)

    def _sizes(self, values: tuple[Expr, ...]) -> tuple[Expr, ...] | None:
        sizes: list[Expr] = []
        for value in values:
            size = self._size(value)
            if size is None:
                return None
            sizes.append(size)
        return values if all(a is b for a, b in zip(sizes, values, strict=True)) else tuple(sizes)

    def _size(self, value: Expr) -> Expr | None:
        if isinstance(value, Var):
            return self.sizes(value)
        replacements: dict[Var, Node] = {}
        for var in size_vars(value):
            size = self.sizes(var)
            if size is None:
                return None
            if size is not var:
                replacements[var] = size
        return simplify_size(substitute(value, replacements)) if replacements else value


def erase_to_well_defined(
    info: StructInfo, shape_var_map: Mapping[Var, Expr] | None = None, var_map: Mapping[Any, RelaxExpr] | None = None
) -> StructInfo:
    """Return the struct info outside of the scope that it was inferred in. Size variables are replaced by
    `shape_var_map`, shape variables by `var_map`; sizes and shapes with other variables become unknown.
    """
    return _Eraser((shape_var_map or {}).get, var_map or {}).erase(info)


def erase_variables(info: StructInfo, unseen: set[Var]) -> StructInfo:
    """Return the struct info with the sizes that contain variables of `unseen` made unknown."""
    return _Eraser(lambda var: None if var in unseen else var, {}).erase(info)


class SizeUnifier(BaseCheck):
    """Checks arguments against parameters, and unifies the size variables of parameters with sizes of arguments."""

    unifies: ClassVar[bool] = True

    def __init__(self) -> None:
        self.sizes: dict[Var, Expr] = {}
        self.shapes: dict[Any, RelaxExpr] = {}

    def size(self, base: Expr, derived: Expr) -> BaseCheckResult:
        if isinstance(base, Var) and base not in self.sizes:
            self.sizes[base] = derived
            return BaseCheckResult.PASS
        values: dict[Var, Expr] = {var: self.sizes[var] for var in size_vars(base) if var in self.sizes}
        return super().size(simplify_size(substitute(base, values)) if values else base, derived)

    def variable(self, base: RelaxExpr, derived: RelaxExpr | None) -> BaseCheckResult:
        shape = self.shapes.get(base)
        if derived is None:
            return BaseCheckResult.FAIL_L2
        if shape is None:
            self.shapes[base] = derived
            return BaseCheckResult.PASS
        return super().variable(shape, derived)


def derive_call_ret_struct_info(
    callee: str,
    func: FuncStructInfo,
    args: Sequence[Any],
    sinfo_args: Sequence[StructInfo] = (),
    span: Span | None = None,
) -> StructInfo | None:
    """Return the struct info of a call: the function's result with its size variables replaced by sizes of arguments.

    None where an argument has no struct info. Raises `InvalidCall`.
    """
    if func.params is None:
        if func.derive_func == BY_SINFO_ARGS:
            return _infer_by_sinfo_args(sinfo_args)
        return func.ret
    if len(args) != len(func.params):
        raise InvalidCall(
            operator=callee, argument="the call", expected=_count_of(len(func.params)), got=str(len(args)), span=span
        )
    unifier = SizeUnifier()
    for index, (param, arg) in enumerate(zip(func.params, args, strict=True)):
        if arg.struct_info is None:
            return None
        if unifier.check(param, arg.struct_info) < BaseCheckResult.FAIL_L2:
            raise InvalidCall(
                operator=callee,
                argument=f"argument {index + 1}",
                expected=param,
                got=arg.struct_info,
                span=arg.span or span,
                hint="R.match_cast defers the check to run time",
            )
    return erase_to_well_defined(func.ret, unifier.sizes, unifier.shapes)


def _count_of(number: int) -> str:
    return "1 argument" if number == 1 else f"{number} arguments"


def _infer_by_sinfo_args(infos: Sequence[StructInfo]) -> StructInfo:
    if not infos:
        return ObjectStructInfo()
    return infos[0] if len(infos) == 1 else TupleStructInfo(tuple(infos))
