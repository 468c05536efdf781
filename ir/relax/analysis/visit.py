"""Post-order traversal of Relax expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.core import GlobalVar, Op
from tvmscript.ir.core.python_settings import deep_recursion
from tvmscript.ir.relax.base import RelaxExpr, StructInfo
from tvmscript.ir.relax.distributed import DTensorStructInfo
from tvmscript.ir.relax.expr import Call, If, SeqExpr, Tuple, TupleGetItem
from tvmscript.ir.relax.function import Function
from tvmscript.ir.relax.struct_info import TensorStructInfo, TupleStructInfo


@deep_recursion
def post_order_visit(expr: object, fvisit: Callable[[Any], None]) -> None:
    """Call `fvisit` with every expression after its children. Operators and variables are visited at each use, and so
    are shapes in struct info of tensors. Definitions of variables are not visited.
    """
    _visit(expr, fvisit)


def _visit(value: object, fvisit: Callable[[Any], None]) -> None:
    for part in _subexpressions(value):
        _visit(part, fvisit)
    if isinstance(value, RelaxExpr) and not isinstance(value, Function):
        _visit_shapes(value.struct_info, fvisit)
    if isinstance(value, (RelaxExpr, GlobalVar, Op)):
        fvisit(value)


def _subexpressions(value: object) -> tuple[Any, ...]:
    rule = _SUBEXPRESSIONS.get(type(value))
    return () if rule is None else rule(value)


def _sequence_subexpressions(value: SeqExpr) -> tuple[Any, ...]:
    bound = [getattr(binding, "value", None) for block in value.blocks for binding in block.bindings]
    return (*bound, value.body)


#: class -> child expressions in evaluation order
_SUBEXPRESSIONS: dict[type, Callable[[Any], tuple[Any, ...]]] = {
    Call: lambda value: (value.op, *value.args),
    Tuple: lambda value: value.fields,
    TupleGetItem: lambda value: (value.tuple_value,),
    If: lambda value: (value.cond, value.true_branch, value.false_branch),
    SeqExpr: _sequence_subexpressions,
    Function: lambda value: (value.body,),
}


def _visit_shapes(info: StructInfo | None, fvisit: Callable[[Any], None]) -> None:
    if isinstance(info, TensorStructInfo) and info.shape is not None:
        _visit(info.shape, fvisit)
    elif isinstance(info, DTensorStructInfo):
        _visit_shapes(info.tensor_sinfo, fvisit)
    elif isinstance(info, TupleStructInfo):
        for field in info.fields:
            _visit_shapes(field, fvisit)
