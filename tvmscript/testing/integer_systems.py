"""TVM's checks of solved systems of equations and inequalities: by all values of small ranges."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.constraints.system import IntConstraints, IntConstraintsTransform
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import TVMScriptError
from tvmscript.ir.tir import EQ, GE, LT, Expr, IntImm, Range, Var, const, match_types, substitute
from tvmscript.ir.tir.operators import all_of


class ConditionFails(TVMScriptError, AssertionError, code="TS6012"):
    """A condition that a test expects for all values of variables is false for some."""

    message = "{condition} is false for {values}"


def check_bool_expr_is_true(bool_expr: Expr, vranges: Mapping[Var, Range], cond: Expr | None = None) -> None:
    """Check that a condition holds for all values of the variables, where `cond` holds. Raises `ConditionFails`."""
    analyzer = Analyzer()
    spans: list[range] = []
    for domain in vranges.values():
        first, extent = analyzer.simplify(domain.min), analyzer.simplify(domain.extent)
        assert isinstance(first, IntImm)
        assert isinstance(extent, IntImm)
        spans.append(range(first.value, first.value + extent.value))
    for point in itertools.product(*spans):
        values = {var: IntImm(var.dtype, value) for var, value in zip(vranges, point, strict=True)}
        holds = cond is None or not is_const(analyzer.simplify(substitute(cond, values)), 0)
        if holds and is_const(analyzer.simplify(substitute(bool_expr, values)), 0):
            shown = ", ".join(f"{var} = {value}" for var, value in values.items())
            raise ConditionFails(condition=bool_expr, values=shown or "all values")


def check_int_constraints_trans_consistency(
    constraints_trans: IntConstraintsTransform, vranges: Mapping[Var, Range] | None = None
) -> None:
    """Check that the solutions of the two systems correspond one to one. Raises `ConditionFails`.

    `vranges` are ranges of variables that the systems do not bound.
    """
    src, dst = constraints_trans.src, constraints_trans.dst
    there, back = constraints_trans.src_to_dst, constraints_trans.dst_to_src
    _check_one_way(src, dst, there, back, vranges or {})
    _check_one_way(dst, src, back, there, vranges or {})


def _check_one_way(
    system: IntConstraints,
    other: IntConstraints,
    there: Mapping[Var, Expr],
    back: Mapping[Var, Expr],
    vranges: Mapping[Var, Range],
) -> None:
    conditions = [substitute(relation, back) for relation in other.relations]
    for var in other.variables:
        domain = other.ranges.get(var)
        if domain is not None:
            for compare, end in ((GE, domain.min), (LT, domain.min + domain.extent)):
                conditions.append(substitute(compare(*match_types(var, end)), back))
    conditions += [EQ(*match_types(var, substitute(there[var], back))) for var in system.variables if var in there]
    true = const(True, "bool")
    check_bool_expr_is_true(all_of(true, *conditions), {**vranges, **system.ranges}, all_of(true, *system.relations))
