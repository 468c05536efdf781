"""Solve size variables that are part of an extent, and an extent by themselves nowhere."""

from __future__ import annotations

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.expr import Binding, BindingBlock, DataflowBlock, MatchCast, SeqExpr, Var
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import ShapeExpr, ShapeStructInfo, TensorStructInfo
from tvmscript.ir.relax.symbolic_shape import (
    definable_tir_vars_in_struct_info,
    extents_of,
    size_vars,
    tir_vars_in_struct_info,
)
from tvmscript.ir.tir import Expr, FloorDiv, IntImm
from tvmscript.ir.tir import Var as SizeVar
from tvmscript.ir.tir.substitute import substitute


def solve_sizes(mod: IRModule) -> IRModule:
    """Return the module with the sizes of each function solved.

    A parameter with the extent `c * n + d`, where nothing else defines `n`, gets a variable for the whole extent.
    Casts at the beginning of the function compute `n`, and check the extents of the parameter.

    rewrite:
        def main(x: R.Tensor((n * 2,))): ...
          -->
        def main(x: R.Tensor((x_0,))):
            n_size = R.match_cast(R.shape([x_0 // 2]), R.Shape([n]))
            x_1 = R.match_cast(x, R.Tensor((n * 2,)))
    """
    solved = {
        var: solution.function()
        for var, func in mod.functions.items()
        if isinstance(func, Function) and (solution := _Solution(func)).values
    }
    return mod.replace(functions={**mod.functions, **solved}) if solved else mod


class _Solution:
    """The sizes of one function that extents of its parameters determine."""

    def __init__(self, func: Function) -> None:
        self._func = func
        #: the variable of each extent that has one: parameter, axis -> variable
        self._measured: dict[tuple[Var, int], SizeVar] = {}
        #: each solved variable in terms of the extents
        self.values: dict[SizeVar, Expr] = {}
        infos = [param.struct_info for param in func.params if param.struct_info is not None]
        unknown = {var for info in infos for var in tir_vars_in_struct_info(info)}
        unknown -= {var for info in infos for var in definable_tir_vars_in_struct_info(info)}
        while unknown and self._solve_one(unknown):
            unknown -= self.values.keys()

    def _solve_one(self, unknown: set[SizeVar]) -> bool:
        """Solve the first extent in which one variable is unknown; return whether there is one."""
        for param in self._func.params:
            for axis, extent in enumerate(extents_of(param.struct_info)):
                missing = [var for var in size_vars(extent) if var in unknown]
                if len(missing) != 1:
                    continue
                value = _solve(extent, missing[0], self._measure(param, axis, extent))
                if value is not None:
                    self.values[missing[0]] = Analyzer().simplify(substitute(value, self.values))
                    return True
        return False

    def _measure(self, param: Var, axis: int, extent: Expr) -> SizeVar:
        """Return the variable of an extent."""
        return self._measured.setdefault((param, axis), SizeVar(f"{param.name_hint}_{axis}", extent.dtype))

    def function(self) -> Function:
        """Return the function with variables for the extents of which solved variables are a part."""
        func, values = self._func, self.values
        names = {var: Var(f"{var.name}_size", ShapeStructInfo((var,))) for var in values}
        casts: list[Binding] = [
            MatchCast(name, ShapeExpr((values[var],)), ShapeStructInfo((var,))) for var, name in names.items()
        ]
        params: list[Var] = []
        cast_params: dict[Var, RelaxExpr] = {}
        for param in func.params:
            info = param.struct_info
            if info is None or values.keys().isdisjoint(tir_vars_in_struct_info(info)):
                params.append(param)
                continue
            params.append(Var(param.name_hint, self._info_of_measured(param, info)))
            cast_param = cast_params[param] = Var(param.name_hint, info)
            casts.append(MatchCast(cast_param, params[-1], info))
        body: SeqExpr = substitute(func.body, cast_params)
        first = [block for block in body.blocks[:1] if not isinstance(block, DataflowBlock)]
        casts += [binding for block in first for binding in block.bindings]
        return func.replace(
            params=tuple(params),
            body=body.replace(blocks=(BindingBlock(tuple(casts)), *body.blocks[len(first) :])),
            ret_struct_info=func.ret_struct_info and substitute(func.ret_struct_info, values),
            struct_info=None,
        )

    def _info_of_measured(self, param: Var, info: StructInfo) -> StructInfo:
        """Return struct info with variables in the place of extents of which solved variables are a part."""
        extents: list[Expr] = [
            extent if self.values.keys().isdisjoint(size_vars(extent)) else self._measure(param, axis, extent)
            for axis, extent in enumerate(extents_of(info))
        ]
        if isinstance(info, TensorStructInfo):
            return info.replace(shape=ShapeExpr(tuple(extents)))
        return ShapeStructInfo(tuple(extents)) if isinstance(info, ShapeStructInfo) else substitute(info, self.values)


def _solve(extent: Expr, var: SizeVar, measured: SizeVar) -> Expr | None:
    """Return the value of a variable for an extent `c * var + d` that is measured; None if it is not linear."""
    linear = detect_linear_equation(extent, [var])
    if not linear:
        return None
    coefficient, rest = (Analyzer().simplify(part) for part in linear)
    if not isinstance(coefficient, IntImm) or coefficient.value == 0:
        return None
    return FloorDiv(measured - rest, coefficient)
