"""Print calls: `T.exp(x)`, `T.call_extern("int32", "f", x)`, `Module.f(x)`.

Where such a text does not read back to the same call, it is `T.Call(dtype, op, [args])`.
"""

from __future__ import annotations

from collections.abc import Callable

from tvmscript.ir.arith.sums.linear_form import is_index_dtype
from tvmscript.ir.core import VOID, DType, GlobalVar, Op, PrimType, TVMScriptError
from tvmscript.ir.tir import Call, Expr, FloatImm, IntImm, StringImm
from tvmscript.ir.tir.intrin.intrinsic import SURFACE, Intrinsic
from tvmscript.printer.errors import NoText
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


#: operator -> whether TVM folds a call of these constants
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
    """Return the text of a call."""
    op, args = node.op, node.args
    if isinstance(op, Intrinsic):
        name = op.script_name
        position = op.dtype_position
        if position == "first":
            # check the bits first: the result of `_takes` is cached for all dtypes
            if (op.name != "tir.reinterpret" or _keeps_bits(args[0].dtype, node.dtype)) and _takes(node, op):
                return f"{p.tir}{name}({', '.join([_dtype(node.dtype), *_texts(p, args)])})"
        elif position == "last":
            if _takes(node, op):
                return f"{p.tir}{name}({', '.join([*_texts(p, args), _dtype(node.dtype)])})"
        elif _reads_back(node, op, p.has_header):
            return f"{p.tir}{name or op.name}({', '.join(_texts(p, args))})"
    elif isinstance(op, GlobalVar):
        function = p.names.get(op)
        if function is not None and p.result_dtypes.get(op) is node.dtype:
            return f"{function}({p.exprs(args)})"
    if isinstance(op, Op) and op.name.startswith(Op.CUSTOM) and node.dtype is custom_dtype(args):
        return f"{p.tir}{op.name}({', '.join(_texts(p, args))})"
    if isinstance(op, Op) and op.dialect:
        hint = f'print it with dialect="{op.dialect}"'
        raise NoText(what=f"the device instruction {op.name} in the dialect {p.spelling.dialect}", hint=hint)
    callee = f'"{op.name}"' if isinstance(op, Op) else p.expr(op)
    return f"{p.tir}Call({_dtype(node.dtype)}, {callee}, [{p.exprs(args)}])"


def _keeps_bits(before: DType, after: DType) -> bool:
    """Whether `T.reinterpret` accepts the dtypes: they have the same number of bits."""
    return before is not after and before.bits * before.lanes == after.bits * after.lanes


def _dtype(dtype: DType) -> str:
    return f'"{dtype}"'


def _texts(p: Printer, args: Args) -> list[str]:
    rules = p.expr_rules
    return [rules[type(arg)](p, arg, 0) for arg in args]


#: (operator, dtype, dtypes of variable arguments) -> whether calls read back from their short form
_read_back: dict[tuple[object, ...], bool] = {}


def _takes(node: Call, op: Intrinsic) -> bool:
    """Whether the function of `T`, which has an argument for the dtype, takes as many arguments."""
    key = op, len(node.args)
    result = _read_back.get(key)
    if result is None:
        args = node.args
        result = _read_back[key] = _makes(
            node, op, (node.dtype, *args) if op.dtype_position == "first" else (*args, node.dtype)
        )
    return result


def _reads_back(node: Call, op: Intrinsic, as_tvm: bool) -> bool:
    """Whether `T.<name>(args)` reads back as this call; in fragments also in TVM, which folds constants."""
    args = node.args
    kinds: list[object] = [op, node.dtype]
    for arg in args:
        if isinstance(arg, (IntImm, FloatImm, StringImm)):
            folded = _FOLDED.get(op.name)
            return (as_tvm or folded is None or not folded(args)) and _makes(node, op, args)
        kinds.append(arg.dtype)
    key = tuple(kinds)
    result = _read_back.get(key)
    if result is None:
        result = _read_back[key] = _makes(node, op, args)
    return result


def _makes(node: Call, op: Intrinsic, args: tuple[object, ...]) -> bool:
    """Whether the function of `T` makes this call of these arguments."""
    function = SURFACE.get(op.script_name)
    if function is None:
        if op.result is None:
            return False
        function = op  # read by its name: `parser.tir.builtins.operators`
    try:
        call = function(*args)
    except (TVMScriptError, TypeError):
        return False
    return (
        type(call) is Call
        and call.op is op
        and call.dtype is node.dtype
        and len(call.args) == len(node.args)
        and all(a is b for a, b in zip(call.args, node.args, strict=True))
    )


def custom_dtype(args: Args) -> DType:
    """Return the dtype of calls of users' operators, as the parser infers it: that of the first argument."""
    return args[0].dtype if args else VOID


def result_dtype(ret_type: object) -> DType:
    """Return the dtype of calls of a function with this return type, as the parser infers it."""
    return ret_type.dtype if isinstance(ret_type, PrimType) else VOID
