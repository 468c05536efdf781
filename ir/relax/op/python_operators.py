"""Python operators on Relax expressions: `x + y`, `-x`, `t[0]`, `x.astype("float16")`."""

from __future__ import annotations

from functools import partial
from typing import Any

from tvmscript.ir.core import Op
from tvmscript.ir.relax.base import OPERATORS, RelaxExpr, get_item, negate
from tvmscript.ir.relax.expr import TupleGetItem
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TupleStructInfo


def _call_operator(name: str, *operands: object) -> Any:
    """Return the call of an operator, which may be declared after the hooks are filled."""
    operator = Op.get(f"relax.{name}")
    assert isinstance(operator, Operator)
    return script_function_of(operator)(*operands)


def _get_tuple_item(value: RelaxExpr, index: int) -> TupleGetItem:
    info = value.struct_info
    if isinstance(info, TupleStructInfo):
        count = len(info.fields)
        if not -count <= index < count:
            raise IndexError(f"a tuple of {count} has no item {index}")
        index %= count
    return TupleGetItem(value, index)


for _name, _operator in OPERATORS.items():
    _operator.fill(partial(_call_operator, _name))
negate.fill(partial(_call_operator, "negative"))
get_item.fill(_get_tuple_item)
