"""Calls as text: `T.exp(x)`, `T.call_extern("int32", "f", x)`, `Module.f(x)`; `T.Call(dtype, op, [args])` for the rest.

The short form is written where reading it gives the same call; `T.Call` says everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tvmscript.ir.arith.linear_form import is_index_dtype
from tvmscript.ir.core.dtype import VOID, DType
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.core.module import GlobalVar
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.types import PrimType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Call, FloatImm, IntImm, StringImm
from tvmscript.ir.tir.intrin.intrinsic import SURFACE, Intrinsic
from tvmscript.printer.printer import Printer, expr_rule

Args = tuple[Expr, ...]


def _first_is_float(args: Args) -> bool:
    return isinstance(args[0], FloatImm)


def _first_is_int(args: Args) -> bool:
    return isinstance(args[0], IntImm)


def _both_are_int(args: Args) -> bool:
    return isinstance(args[0], IntImm) and isinstance(args[1], IntImm) and is_index_dtype(args[0].dtype)


def _shifts_constant(args: Args) -> bool:
    return (
        isinstance(args[1], IntImm)
        and is_index_dtype(args[0].dtype)
        and (args[1].value == 0 or isinstance(args[0], IntImm))
    )


#: calls of constants that TVM computes when it reads them
_FOLDED: dict[str, Callable[[Args], bool]] = {
    **dict.fromkeys(("tir.floor", "tir.ceil", "tir.round", "tir.trunc", "tir.nearbyint"), _first_is_float),
    **dict.fromkeys(("tir.fabs", "tir.isnan"), _first_is_float),
    **dict.fromkeys(("tir.if_then_else", "tir.likely"), _first_is_int),
    **dict.fromkeys(("tir.bitwise_and", "tir.bitwise_or", "tir.bitwise_xor"), _both_are_int),
    **dict.fromkeys(("tir.shift_left", "tir.shift_right"), _shifts_constant),
}


@expr_rule(Call)
def _call(p: Printer, node: Call, level: int) -> str:
    return call_text(p, node)


def call_text(p: Printer, node: Call) -> str:
    """The text of a call."""
    op, args = node.op, node.args
    if isinstance(op, Intrinsic):
        name = op.script_name
        position = op.dtype_position
        if position == "first":
            # bits first: what is known of the others is remembered for all
            if (op.name != "tir.reinterpret" or _keeps_bits(args[0].dtype, node.dtype)) and _takes(node, op):
                return f"{p.tir}{name}({', '.join([_dtype(node.dtype), *_texts(p, args)])})"
        elif position == "last":
            if _takes(node, op):
                return f"{p.tir}{name}({', '.join([*_texts(p, args), _dtype(node.dtype)])})"
        elif _reads_back(node, op, p.has_header):
            return f"{p.tir}{name or op.name}({', '.join(_texts(p, args))})"
    elif isinstance(op, GlobalVar):
        known = p.names.get(op)
        if known is not None and p.result_dtypes.get(op) is node.dtype:
            return f"{known}({p.exprs(args)})"
    callee = f'"{op.name}"' if isinstance(op, Op) else p.expr(op)
    return f"{p.tir}Call({_dtype(node.dtype)}, {callee}, [{p.exprs(args)}])"


def _keeps_bits(before: DType, after: DType) -> bool:
    """Whether `T.reinterpret` takes a value of one dtype as another: it has as many bits."""
    return before is not after and before.bits * before.lanes == after.bits * after.lanes


def _dtype(dtype: DType) -> str:
    return f'"{dtype}"'


def _texts(p: Printer, args: Args) -> list[str]:
    rules = p.expr_rules
    return [rules[type(arg)](p, arg, 0) for arg in args]


#: whether calls of (operator, dtype, dtypes of variable arguments) read back from their short form
_known: dict[tuple[object, ...], bool] = {}


def _takes(node: Call, op: Intrinsic) -> bool:
    """Whether the function of `T` that is told the dtype takes as many arguments."""
    key = op, len(node.args)
    known = _known.get(key)
    if known is None:
        args = node.args
        known = _known[key] = _makes(
            node, op, (node.dtype, *args) if op.dtype_position == "first" else (*args, node.dtype)
        )
    return known


def _reads_back(node: Call, op: Intrinsic, as_tvm: bool) -> bool:
    """Whether `T.<name>(args)` is this call again; unless the text is to be TVM's own, for TVM as well, which folds."""
    args = node.args
    kinds: list[object] = [op, node.dtype]
    for arg in args:
        if isinstance(arg, IntImm | FloatImm | StringImm):
            folded = _FOLDED.get(op.name)
            return (as_tvm or folded is None or not folded(args)) and _makes(node, op, args)
        kinds.append(arg.dtype)
    key = tuple(kinds)
    known = _known.get(key)
    if known is None:
        known = _known[key] = _makes(node, op, args)
    return known


def _makes(node: Call, op: Intrinsic, args: tuple[Any, ...]) -> bool:
    """Whether the function of `T` makes this call of these arguments, the dtype among them where it is told."""
    function = SURFACE.get(op.script_name)
    if function is None:
        if op.result is None:
            return False
        function = op  # read by its name: `parser.tir.builtins.operators`
    try:
        made = function(*args)
    except (TVMScriptError, TypeError):
        return False
    return (
        type(made) is Call
        and made.op is op
        and made.dtype is node.dtype
        and len(made.args) == len(node.args)
        and all(a is b for a, b in zip(made.args, node.args, strict=True))
    )


def result_dtype(ret_type: object) -> DType:
    """What calling a function gives where nothing else is said."""
    return ret_type.dtype if isinstance(ret_type, PrimType) else VOID
