"""Calls: functions of C's library by the intrinsics' entries, operators by rules of their own, functions by name."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.c.codegen import Codegen, call_rule, rule
from tvmscript.backends.c.expressions import binary, convert, element, narrow, promoted, unsigned, write_choice
from tvmscript.backends.c.types import (
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    EQUALITY,
    PRIMARY,
    SHIFT,
    SUM,
    UNARY,
    Value,
    declare,
    integer_literal,
)
from tvmscript.ir.core import FLOAT32, FLOAT64, INT32, INT64, DType, GlobalVar, Op
from tvmscript.ir.core.dtype import BOOL, HANDLE, VOID
from tvmscript.ir.tir import Expr
from tvmscript.ir.tir import expr as tir
from tvmscript.ir.tir.intrin import Intrinsic

#: hints that a CPU function may ignore
_IGNORED: Final = ("assume", "start_profile_intrinsic", "end_profile_intrinsic", "tvm_storage_sync", "prefetch")
_NOTHING: Final = Value("0", PRIMARY, INT32)


@rule(tir.Call)
def write_call(cg: Codegen, node: tir.Call) -> Value:
    op = node.op
    if isinstance(op, GlobalVar):
        return _call_function(cg, node, op)
    name = op.name if isinstance(op, Op) else str(op)
    write = cg.call_rules.get(name)
    if write is not None:
        if node.dtype is not VOID:
            cg.type_name(node.dtype, node.span)
        return write(cg, node)
    if isinstance(op, Intrinsic) and op.c_name is not None:
        return _call_library(cg, node, op.c_name)
    raise cg.refusal(f"the operator {name}", node.span)


# -- mathematical functions


def _call_library(cg: Codegen, node: tir.Call, name: str) -> Value:
    """Call a function of math.h in the precision of the dtype, that of float for narrower ones."""
    dtype = node.dtype
    cg.type_name(dtype, node.span)
    if dtype.is_integer:
        return cg.expr(node.args[0])  # roundings of integers
    wide = FLOAT32 if dtype.bits < 32 else dtype
    listed = ", ".join(cg.expr(arg).as_type(wide).text for arg in node.args)
    return Value(f"{name}{'' if wide is FLOAT64 else 'f'}({listed})", PRIMARY, wide).as_type(dtype)


@call_rule("fma")
def write_fma(cg: Codegen, node: tir.Call) -> Value:
    x, y, z = node.args
    if node.dtype.is_integer:
        return cg.expr(tir.Add(tir.Mul(x, y), z))
    if node.dtype != "float16":
        return _call_library(cg, node, "fma")
    # the product of two narrow floats and the sum are exact in a double where a second rounding could matter
    listed = ", ".join(cg.expr(arg).as_type(FLOAT64).text for arg in node.args)
    return Value(f"fma({listed})", PRIMARY, FLOAT64).as_type(node.dtype)


@call_rule("exp10")
def write_exp10(cg: Codegen, node: tir.Call) -> Value:
    """C has no exp10; the power is computed in double precision."""
    return Value(f"pow(10.0, {cg.expr(node.args[0]).text})", PRIMARY, FLOAT64).as_type(node.dtype)


@call_rule("ldexp")
def write_ldexp(cg: Codegen, node: tir.Call) -> Value:
    x, exponent = node.args
    power = convert(cg, cg.expr(exponent), exponent.dtype, INT32, node)
    return Value(f"ldexp({cg.expr(x).text}, {power.text})", PRIMARY, FLOAT64).as_type(node.dtype)


@call_rule("fmod")
def write_fmod(cg: Codegen, node: tir.Call) -> Value:
    return cg.expr(tir.Mod(*node.args)) if node.dtype.is_integer else _call_library(cg, node, "fmod")


@call_rule("nextafter")
def write_nextafter(cg: Codegen, node: tir.Call) -> Value:
    if node.dtype not in (FLOAT32, FLOAT64):
        raise cg.refusal(f"nextafter of {node.dtype}", node.span)
    return _call_library(cg, node, "nextafter")


@call_rule("sigmoid", "rsqrt")
def write_derived(cg: Codegen, node: tir.Call) -> Value:
    """Write what C has no function for as a helper, in double precision."""
    name = node.op.name.removeprefix("tir.") if isinstance(node.op, Op) else ""
    argument = cg.expr(node.args[0]).text
    return Value(f"{cg.program.helper(name, FLOAT64)}({argument})", PRIMARY, FLOAT64).as_type(node.dtype)


@call_rule("isnan", "isinf", "isfinite")
def write_classification(cg: Codegen, node: tir.Call) -> Value:
    name = node.op.name.removeprefix("tir.") if isinstance(node.op, Op) else ""
    argument = node.args[0]
    if argument.dtype.is_integer:
        return integer_literal(BOOL, int(name == "isfinite"))
    value = cg.expr(argument)
    wide = value.as_type(FLOAT32) if argument.dtype.bits < 32 else value
    return Value(f"{name}({wide.text}) != 0", EQUALITY, BOOL)


# -- bits


def _bitwise(name: str, symbol: str, level: int) -> None:
    @call_rule(name)
    def write(cg: Codegen, node: tir.Call) -> Value:
        a, b = (cg.expr(arg) for arg in node.args)
        # parentheses around mixed operators, as compilers ask for
        left, right = (_alone(value, level) for value in (a, b))
        kind = BOOL if node.dtype.is_bool else promoted(a.dtype, b.dtype)
        return binary(left, symbol, right, level, kind)


def _alone(value: Value, level: int) -> Value:
    is_mixed = value.level < UNARY and value.level != level
    return Value(f"({value.text})", PRIMARY, value.dtype) if is_mixed else value


_bitwise("bitwise_and", "&", BIT_AND)
_bitwise("bitwise_or", "|", BIT_OR)
_bitwise("bitwise_xor", "^", BIT_XOR)


@call_rule("bitwise_not")
def write_bitwise_not(cg: Codegen, node: tir.Call) -> Value:
    value = cg.expr(node.args[0])
    if node.dtype.is_bool:
        return Value(f"!{value.inside(UNARY)}", UNARY, BOOL)
    return Value(f"~{value.inside(UNARY)}", UNARY, promoted(value.dtype)).as_type(node.dtype)


def _amount(cg: Codegen, node: tir.Call) -> Value:
    """Write the amount of a shift; one outside of the dtype has no meaning, but must have one in C."""
    low, high = cg.ranges.range_of(node.args[1])
    value = cg.expr(node.args[1])
    if low >= 0 and high < node.dtype.bits:
        return value
    mask = integer_literal(INT32, (32 if node.dtype.bits < 32 else node.dtype.bits) - 1)
    return Value(f"({value.inside(BIT_AND + 1)} & {mask.text})", PRIMARY, value.dtype)


@call_rule("shift_left")
def write_shift_left(cg: Codegen, node: tir.Call) -> Value:
    counted = unsigned(node.dtype) if node.dtype.bits >= 32 else unsigned(INT32)
    value = cg.expr(node.args[0]).as_type(counted)
    return narrow(Value(f"{value.inside(SUM)} << {_amount(cg, node).inside(SUM)}", SHIFT, counted), node.dtype)


@call_rule("shift_right")
def write_shift_right(cg: Codegen, node: tir.Call) -> Value:
    value = cg.expr(node.args[0])
    if node.dtype.bits == 64:
        value = value.as_type(node.dtype)
    kind = promoted(value.dtype)
    return Value(f"{value.inside(SUM)} >> {_amount(cg, node).inside(SUM)}", SHIFT, kind)


@call_rule("popcount", "ctpop")
def write_popcount(cg: Codegen, node: tir.Call) -> Value:
    return _call_helper(cg, node, "popcount", node.dtype)


@call_rule("clz")
def write_clz(cg: Codegen, node: tir.Call) -> Value:
    return _call_helper(cg, node, "clz", INT32).as_type(node.dtype)


def _call_helper(cg: Codegen, node: tir.Call, name: str, result: DType) -> Value:
    """Call a helper of the argument's dtype."""
    argument = node.args[0]
    if argument.dtype.is_bool or not argument.dtype.is_integer:
        raise cg.refusal(f"{name} of {argument.dtype}", node.span)
    return Value(f"{cg.program.helper(name, argument.dtype)}({cg.expr(argument).text})", PRIMARY, result)


@call_rule("reinterpret")
def write_reinterpret(cg: Codegen, node: tir.Call) -> Value:
    source, target = node.args[0].dtype, node.dtype
    value = cg.expr(node.args[0])
    cg.type_name(source, node.span)
    if source.is_handle or target.is_handle or (source.is_integer and target.is_integer):
        return convert(cg, value, source, target, node)
    return Value(f"{cg.program.helper('reinterpret', target, source)}({value.text})", PRIMARY, target)


@call_rule("large_uint_imm")
def write_large_uint_imm(cg: Codegen, node: tir.Call) -> Value:
    low, high = node.args
    if isinstance(low, tir.IntImm) and isinstance(high, tir.IntImm):
        return integer_literal(node.dtype, (high.value << 32) | (low.value & 0xFFFFFFFF))
    raise cg.refusal("large_uint_imm of values that are no constants", node.span)


@call_rule("q_multiply_shift")
def write_q_multiply_shift(cg: Codegen, node: tir.Call) -> Value:
    x, y, q, s = node.args
    left = convert_index(tir.Max(s, tir.IntImm(s.dtype, 0)))
    back = convert_index(tir.Max(tir.Sub(tir.IntImm(s.dtype, 0), s), tir.IntImm(s.dtype, 0)))
    return _rounded_product(cg, node, _shifted(x, left), y, tir.Add(convert_index(q), back))


@call_rule("q_multiply_shift_per_axis")
def write_q_multiply_shift_per_axis(cg: Codegen, node: tir.Call) -> Value:
    x, y, left, right, q, has_left, has_right = node.args
    zero = tir.IntImm(INT64, 0)
    more = tir.Select(_is_set(has_left), convert_index(left), zero)
    less = tir.Select(_is_set(has_right), convert_index(right), zero)
    return _rounded_product(cg, node, _shifted(x, more), y, tir.Add(convert_index(q), less))


def _is_set(flag: Expr) -> Expr:
    return flag if flag.dtype.is_bool else tir.NE(flag, tir.IntImm(flag.dtype, 0))


def convert_index(node: Expr) -> Expr:
    """Return an integer as an int64."""
    return node if node.dtype is INT64 else tir.Cast(INT64, node)


def _shifted(x: Expr, amount: Expr) -> Expr:
    return tir.Call(INT64, Op.get("tir.shift_left"), (convert_index(x), amount))


def _rounded_product(cg: Codegen, node: tir.Call, x: Expr, y: Expr, shift: Expr) -> Value:
    name = cg.program.helper("q_multiply_shift", INT32)
    listed = ", ".join(cg.expr(part).text for part in (x, y, shift))
    return Value(f"{name}({listed})", PRIMARY, INT32)


# -- control, pointers, other functions


@call_rule("if_then_else")
def write_if_then_else(cg: Codegen, node: tir.Call) -> Value:
    return write_choice(cg, *node.args)


@call_rule("likely", "tvm_thread_invariant")
def write_first_argument(cg: Codegen, node: tir.Call) -> Value:
    return cg.expr(node.args[0])


@call_rule(*_IGNORED)
def write_nothing(cg: Codegen, node: tir.Call) -> Value:
    return _NOTHING


@call_rule("undef")
def write_undef(cg: Codegen, node: tir.Call) -> Value:
    return _NOTHING.as_type(node.dtype)


@call_rule("ret")
def write_ret(cg: Codegen, node: tir.Call) -> Value:
    value = cg.expr(node.args[0])
    if cg.signature.can_fail:
        cg.line(f"*result = {value.text};")
        cg.leave("NULL")
    elif cg.owned:
        name = cg.names.fresh("returned")
        cg.line(f"const {declare(node.args[0].dtype, name)} = {value.text};")
        cg.leave(name)
    else:
        cg.leave(value.text)
    return _NOTHING


@call_rule("address_of")
def write_address_of(cg: Codegen, node: tir.Call) -> Value:
    load = node.args[0]
    if not isinstance(load, tir.BufferLoad):
        raise cg.refusal("address_of of something that is no element of a buffer", node.span)
    indices = tuple(index.base if isinstance(index, tir.Ramp) else index for index in load.indices)
    return Value(f"&{element(cg, load.buffer, indices)}", UNARY, HANDLE)


@call_rule("isnullptr")
def write_isnullptr(cg: Codegen, node: tir.Call) -> Value:
    return Value(f"{cg.expr(node.args[0]).inside(EQUALITY + 1)} == NULL", EQUALITY, BOOL)


@call_rule("tvm_access_ptr")
def write_access_ptr(cg: Codegen, node: tir.Call) -> Value:
    kind, data, offset = node.args[:3]
    pointer = f"({cg.type_name(kind.dtype.element, node.span)} *){cg.expr(data).inside(UNARY)}"
    factor = tir.IntImm(offset.dtype, kind.dtype.lanes)
    distance = cg.expr(offset if kind.dtype.lanes == 1 else tir.Mul(offset, factor))
    return Value(f"{pointer} + {distance.inside(SUM + 1)}", SUM, HANDLE)


@call_rule("call_extern", "call_pure_extern")
def write_call_extern(cg: Codegen, node: tir.Call) -> Value:
    name, *args = node.args
    if not isinstance(name, tir.StringImm) or not name.value.isidentifier():
        raise cg.refusal("call_extern of a name that is no constant", node.span)
    result = cg.type_name(node.dtype, node.span)
    # a string constant may be given for a pointer that the function does not write to
    params = ["const char *" if isinstance(arg, tir.StringImm) else cg.type_name(arg.dtype, arg.span) for arg in args]
    cg.program.external(name.value, result, params, node.span)
    return Value(f"{name.value}({', '.join(cg.expr(arg).text for arg in args)})", PRIMARY, node.dtype)


def _call_function(cg: Codegen, node: tir.Call, callee: GlobalVar) -> Value:
    """Call a function of the module; arrays are handed over as pointers to their elements."""
    signature = cg.program.functions.get(callee.name_hint)
    if signature is None:
        raise cg.refusal(f"a call of {callee.name_hint}, which is not in the module", node.span)
    func = signature.func
    if len(func.params) != len(node.args):
        what = f"a call with {len(node.args)} arguments of a function that takes {len(func.params)}"
        raise cg.refusal(what, node.span)
    extents = [extent for buffer in func.buffer_map.values() for extent in (*buffer.shape, *buffer.strides)]
    if not all(isinstance(extent, tir.IntImm) for extent in extents):
        raise cg.refusal(f"a call of {callee.name_hint}, whose arrays have no constant shapes", node.span)
    args = [
        convert(cg, cg.expr(arg), arg.dtype, param.dtype, node).text
        for param, arg in zip(func.params, node.args, strict=True)
    ]
    if not signature.can_fail:
        return Value(f"{signature.symbol}({', '.join(args)})", PRIMARY, node.dtype)
    value = ""
    if signature.returned is not None:
        value = cg.names.fresh("returned")
        cg.line(f"{declare(signature.returned, value)};")
        args.append(f"&{value}")
    error = cg.names.fresh("error")
    cg.line(f"const char *{error} = {signature.symbol}({', '.join(args)});")
    with cg.block(f"if ({error} != NULL)"):
        cg.leave(error)
    return Value(value, PRIMARY, node.dtype) if value else _NOTHING
