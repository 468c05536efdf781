"""Python's operators on values of the graph: `x + y`, `-x`, `t[0]`, `x.astype("float16")` are calls of operators."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from tvmscript.ir.core.op import Op
from tvmscript.ir.relax.base import OPERATORS, RelaxExpr
from tvmscript.ir.relax.expr import TupleGetItem
from tvmscript.ir.relax.op.script_functions import script_function_of
from tvmscript.ir.relax.operator import Operator
from tvmscript.ir.relax.struct_info import TupleStructInfo

_CALLED: Final = (
    "negative", "add", "subtract", "multiply", "divide", "floor_divide", "mod", "power",
    "less", "less_equal", "greater", "greater_equal", "astype",
)  # fmt: skip


def _call(name: str, *operands: Any) -> Any:
    """The call of an operator, which may be declared after this is registered."""
    found = Op.get(f"relax.{name}")
    assert isinstance(found, Operator)
    return script_function_of(found)(*operands)


def _item(value: RelaxExpr, index: int) -> TupleGetItem:
    known = value.struct_info
    if isinstance(known, TupleStructInfo):
        count = len(known.fields)
        if not -count <= index < count:
            raise IndexError(f"a tuple of {count} has no item {index}")
        index %= count
    return TupleGetItem(value, index)


OPERATORS.update({name: partial(_call, name) for name in _CALLED}, item=_item)
