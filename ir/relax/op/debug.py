"""Printing and assertions at run time."""

from __future__ import annotations

from tvmscript.ir.core import BOOL, VOID, Span
from tvmscript.ir.relax.base import StructInfo
from tvmscript.ir.relax.expr import Call, StringImm
from tvmscript.ir.relax.op.memory import infer_empty_tuple
from tvmscript.ir.relax.op.script_functions import make_call
from tvmscript.ir.relax.op.shape_rules import struct_info_of
from tvmscript.ir.relax.operator import Operator, invalid_argument
from tvmscript.ir.relax.struct_info import UNKNOWN_NDIM, PrimStructInfo, TensorStructInfo, TupleStructInfo


def _infer_assert(call: Call) -> StructInfo:
    """Check that the first argument, the condition, may be a boolean scalar."""
    if not call.args:
        raise invalid_argument(call, "the call", "a condition", "none")
    info = struct_info_of(call, 0)
    is_scalar = (isinstance(info, PrimStructInfo) and info.dtype is BOOL) or (
        isinstance(info, TensorStructInfo) and info.dtype in (BOOL, VOID) and info.ndim in (UNKNOWN_NDIM, 0)
    )
    if not is_scalar:
        raise invalid_argument(call, 0, "a boolean scalar", info)
    return TupleStructInfo(())


def _script_print(*values: object, format: object = "", span: Span | None = None) -> Call:
    """Print values with a format string of Python's str.format."""
    return make_call(print, (format, *values), None, span)


def _script_assert(condition: object, *format_args: object, format: object = "", span: Span | None = None) -> Call:
    """Abort with a message where the condition is false. Values may also be one list, followed by the format."""
    values = list(format_args)
    if len(values) == 2 and isinstance(values[1], (str, StringImm)):
        format = values.pop()
    if len(values) == 1 and isinstance(values[0], (list, tuple)):
        values = list(values[0])
    return make_call(assert_op, (condition, format, *[value for value in values if value is not None]), None, span)


print = Operator(
    "print",
    "format: Str, *values: Expr",
    infer_empty_tuple,
    script_function=_script_print,
    pure=False,
    doc="Print values with a format string of Python's str.format.",
)
assert_op = Operator(
    "assert_op",
    "condition: Expr, format: Str, *format_args: Expr",
    _infer_assert,
    script_function=_script_assert,
    pure=False,
    doc="Abort with a message where the condition is false.",
)
breakpoint = Operator(
    "breakpoint",
    "",
    infer_empty_tuple,
    pure=False,
    doc="Stop in Python's debugger.",
)
