"""Expressions: constants, arithmetic that wraps as TIR says, conversions, loads, choices."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tvmscript.backends.c.codegen import Codegen, rule
from tvmscript.backends.c.types import (
    AND,
    CHOICE,
    EQUALITY,
    OR,
    ORDER,
    PRIMARY,
    PRODUCT,
    SUM,
    UNARY,
    Value,
    declare,
    float_literal,
    integer_literal,
    string_literal,
)
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.core import FLOAT32, FLOAT64, INT32, INT64, DType
from tvmscript.ir.core.dtype import BOOL, HANDLE
from tvmscript.ir.tir import Buffer, Expr
from tvmscript.ir.tir import expr as tir

_ARITHMETIC: Final[dict[type[Expr], tuple[str, int]]] = {
    tir.Add: ("+", SUM),
    tir.Sub: ("-", SUM),
    tir.Mul: ("*", PRODUCT),
}
_COMPARISON: Final[dict[type[Expr], tuple[str, int]]] = {
    tir.EQ: ("==", EQUALITY),
    tir.NE: ("!=", EQUALITY),
    tir.LT: ("<", ORDER),
    tir.LE: ("<=", ORDER),
    tir.GT: (">", ORDER),
    tir.GE: (">=", ORDER),
}
#: division of integers -> helper, operator where no operand is negative
_DIVISION: Final[dict[type[Expr], tuple[str, str]]] = {
    tir.Div: ("truncdiv", "/"),
    tir.Mod: ("truncmod", "%"),
    tir.FloorDiv: ("floordiv", "/"),
    tir.FloorMod: ("floormod", "%"),
}


@rule(tir.IntImm)
def write_int(cg: Codegen, node: tir.IntImm) -> Value:
    cg.type_name(node.dtype, node.span)
    return integer_literal(node.dtype, node.value)


@rule(tir.FloatImm)
def write_float(cg: Codegen, node: tir.FloatImm) -> Value:
    cg.type_name(node.dtype, node.span)
    return float_literal(node.dtype, node.value)


@rule(tir.StringImm)
def write_string(cg: Codegen, node: tir.StringImm) -> Value:
    return Value(string_literal(node.value), PRIMARY, HANDLE)


@rule(tir.Var, tir.SizeVar)
def write_var(cg: Codegen, node: tir.Var) -> Value:
    cg.type_name(node.dtype, node.span)
    return Value(cg.lookup(node), PRIMARY, node.dtype)


# -- arithmetic


def binary(a: Value, symbol: str, b: Value, level: int, dtype: DType) -> Value:
    """Return an operation that associates to the left."""
    return Value(f"{a.inside(level)} {symbol} {b.inside(level + 1)}", level, dtype)


def promoted(*dtypes: DType) -> DType:
    """Return the type of C's arithmetic of these: at least that of `int`."""
    return max((INT32, *dtypes), key=lambda dtype: (dtype.bits, not dtype.is_signed))


def unsigned(dtype: DType) -> DType:
    """Return the unsigned dtype of the same width."""
    return DType(f"uint{dtype.bits}")


def narrow(value: Value, dtype: DType) -> Value:
    """Return a value wrapped to a dtype, from a wider type that C computes in."""
    if dtype.is_bool:
        return Value(f"{value.inside(PRODUCT)} % 2 != 0", EQUALITY, dtype)
    return value.as_type(dtype)


@rule(*_ARITHMETIC)
def write_arithmetic(cg: Codegen, node: tir.BinaryOp) -> Value:
    a, b, dtype = cg.expr(node.a), cg.expr(node.b), node.dtype
    symbol, level = _ARITHMETIC[type(node)]
    cg.type_name(dtype, node.span)
    if dtype == "float16":
        # rounded after each operation, also where C computes with more precision
        return binary(a.as_type(FLOAT32), symbol, b.as_type(FLOAT32), level, FLOAT32).as_type(dtype)
    if not dtype.is_integer:
        return binary(a, symbol, b, level, dtype)
    if cg.fits(node):
        return _exact(a, symbol, b, level, dtype)
    if dtype.bits < 32:
        # products of uint16 overflow the type that they are computed in
        wide = unsigned(INT32) if dtype.bits == 16 and not dtype.is_signed else INT32
        first = a.as_type(wide) if wide is not INT32 else a
        return narrow(binary(first, symbol, b, level, wide), dtype)
    counted = unsigned(dtype)
    value = binary(_counted(a, counted), symbol, _counted(b, counted), level, counted)
    return replace(value.as_type(dtype), counted=value)


def _exact(a: Value, symbol: str, b: Value, level: int, dtype: DType) -> Value:
    """Return an operation that does not overflow its dtype, computed in a type that is wide enough."""
    kind = promoted(a.dtype, b.dtype)
    if dtype.bits == 64 and kind.bits < 64:
        a, kind = a.as_type(dtype), dtype
    return binary(a, symbol, b, level, kind)


def _counted(value: Value, dtype: DType) -> Value:
    """Return a value as an unsigned one, whose arithmetic wraps."""
    if value.counted is not None and value.counted.dtype is dtype:
        return value.counted
    if value.text.isdigit():
        return integer_literal(dtype, int(value.text))
    return value.as_type(dtype)


def write_index(cg: Codegen, node: Expr) -> Value:
    """Write an index. Its sums and products do not overflow 64 bits, because it is in the bounds of a buffer."""
    if isinstance(node, tir.BinaryOp) and node.dtype.is_signed and type(node) in _ARITHMETIC:
        symbol, level = _ARITHMETIC[type(node)]
        a, b = write_index(cg, node.a), write_index(cg, node.b)
        if not cg.widens_indices:
            return binary(a, symbol, b, level, promoted(a.dtype, b.dtype))
        if INT64 in (a.dtype, b.dtype) or (node.dtype is INT32 and cg.fits(node)):
            return binary(a, symbol, b, level, promoted(a.dtype, b.dtype))
        return binary(a.as_type(INT64), symbol, b, level, INT64)
    return cg.expr(node)


@rule(*_DIVISION)
def write_division(cg: Codegen, node: tir.BinaryOp) -> Value:
    kind, dtype = type(node), node.dtype
    a, b = cg.expr(node.a), cg.expr(node.b)
    cg.type_name(dtype, node.span)
    if dtype.is_floating:
        return _divide_floats(cg, kind, a, b, dtype)
    name, symbol = _DIVISION[kind]
    is_positive, (low, high) = cg.ranges.is_never_negative(node.a), cg.ranges.range_of(node.b)
    traps = cg.division_traps and (low <= 0 <= high or (dtype.is_signed and low <= -1 <= high and not is_positive))
    if not traps and (kind in (tir.Div, tir.Mod) or not dtype.is_signed or (is_positive and low > 0)):
        return _exact(a, symbol, b, PRODUCT, dtype)
    wide = dtype if dtype.bits >= 32 else DType(f"{dtype.code}32")
    helper = "truncdiv" if not dtype.is_signed and symbol == "/" else "truncmod" if not dtype.is_signed else name
    return narrow(Value(f"{cg.program.helper(helper, wide)}({a.text}, {b.text})", PRIMARY, wide), dtype)


def _divide_floats(cg: Codegen, kind: type[Expr], a: Value, b: Value, dtype: DType) -> Value:
    if kind is tir.Div:
        if dtype == "float16":
            return binary(a.as_type(FLOAT32), "/", b.as_type(FLOAT32), PRODUCT, FLOAT32).as_type(dtype)
        return binary(a, "/", b, PRODUCT, dtype)
    # in double precision, rounded once more at the end, as the reference interpreter does it
    x, y = a.as_type(FLOAT64), b.as_type(FLOAT64)
    if kind is tir.FloorDiv:
        text = f"floor({binary(x, '/', y, PRODUCT, FLOAT64).text})"
    elif kind is tir.FloorMod:
        text = f"{cg.program.helper('floormod_of_floats', FLOAT64)}({x.text}, {y.text})"
    else:
        text = f"fmod({x.text}, {y.text})"
    return Value(text, PRIMARY, FLOAT64).as_type(dtype)


@rule(tir.Min, tir.Max)
def write_min_max(cg: Codegen, node: tir.BinaryOp) -> Value:
    name = "min" if isinstance(node, tir.Min) else "max"
    a, b = cg.expr(node.a), cg.expr(node.b)
    return Value(f"{cg.program.helper(name, node.dtype)}({a.text}, {b.text})", PRIMARY, node.dtype)


@rule(*_COMPARISON)
def write_comparison(cg: Codegen, node: tir.CompareOp) -> Value:
    symbol, level = _COMPARISON[type(node)]
    a, b = cg.expr(node.a), cg.expr(node.b)
    # a comparison of comparisons is written with parentheses
    return Value(f"{a.inside(level + 1)} {symbol} {b.inside(level + 1)}", level, BOOL)


@rule(tir.And, tir.Or)
def write_logical(cg: Codegen, node: tir.LogicalOp) -> Value:
    is_and = isinstance(node, tir.And)
    a = cg.expr(node.a)
    b, lines = cg.capture(node.b)
    if not lines:
        symbol, level = ("&&", AND) if is_and else ("||", OR)
        return binary(_parenthesized(a, level), symbol, _parenthesized(b, level), level, BOOL)
    name = cg.names.fresh("condition")
    cg.line(f"bool {name} = {a.text};")
    with cg.block(f"if ({name})" if is_and else f"if (!{name})"):
        _assign(cg, name, b, lines)
    return Value(name, PRIMARY, BOOL)


def _parenthesized(value: Value, level: int) -> Value:
    """Return an operand of `&&` with parentheses around `||`, and the other way round, as compilers ask for."""
    is_mixed = value.level in (AND, OR) and value.level != level
    return Value(f"({value.text})", PRIMARY, value.dtype) if is_mixed else value


@rule(tir.Not)
def write_not(cg: Codegen, node: tir.Not) -> Value:
    return Value(f"!{cg.expr(node.a).inside(UNARY)}", UNARY, BOOL)


@rule(tir.Select)
def write_select(cg: Codegen, node: tir.Select) -> Value:
    return write_choice(cg, node.condition, node.true_value, node.false_value)


def write_choice(cg: Codegen, condition: Expr, yes: Expr, no: Expr) -> Value:
    """Write the value of one of two expressions; only that one is evaluated."""
    flag = cg.expr(condition)
    chosen = [cg.capture(value) for value in (yes, no)]
    dtype = yes.dtype
    if not any(lines for _, lines in chosen):
        kind = dtype if not dtype.is_integer or dtype.is_vector else promoted(*(value.dtype for value, _ in chosen))
        first, second = (value.inside(CHOICE + 1) for value, _ in chosen)
        return Value(f"{flag.inside(CHOICE + 1)} ? {first} : {second}", CHOICE, kind)
    name = cg.names.fresh("chosen")
    cg.line(f"{declare(dtype, name)};")
    with cg.block(f"if ({flag.text})", "} else {"):
        _assign(cg, name, *chosen[0])
    with cg.block(None):
        _assign(cg, name, *chosen[1])
    return Value(name, PRIMARY, dtype)


def _assign(cg: Codegen, name: str, value: Value, lines: list[str]) -> None:
    cg.lines += lines
    cg.line(f"{name} = {value.text};")


@rule(tir.Let)
def write_let(cg: Codegen, node: tir.Let) -> Value:
    write_binding(cg, node.var, node.value)
    return cg.expr(node.body)


def write_binding(cg: Codegen, var: tir.Var, value: Expr) -> None:
    """Declare a variable with a value."""
    text = cg.expr(value).text
    cg.bind_range(var, value)
    name = cg.define(var)
    kind = cg.declare(var.dtype, name, var.span)
    cg.line(f"{kind if var.dtype.is_handle else f'const {kind}'} = {text};")


# -- conversions


@rule(tir.Cast)
def write_cast(cg: Codegen, node: tir.Cast) -> Value:
    return convert(cg, cg.expr(node.value), node.value.dtype, node.dtype, node)


def convert(cg: Codegen, value: Value, source: DType, target: DType, node: Expr) -> Value:
    """Convert a value: integers wrap, floats round to nearest even, floats to integers towards zero."""
    cg.type_name(target, node.span)
    if source is target:
        return value
    if source.is_handle or target.is_handle:
        return _convert_pointer(cg, value, source, target, node)
    if target.is_bool:
        zero = "0" if source.is_integer else "0.0f"
        return Value(f"{value.inside(EQUALITY + 1)} != {zero}", EQUALITY, BOOL)
    if source.is_floating and target.is_integer:
        return Value(f"{cg.program.helper('to', target)}({value.text})", PRIMARY, target)
    return value.as_type(target) if value.dtype is not target else value


def _convert_pointer(cg: Codegen, value: Value, source: DType, target: DType, node: Expr) -> Value:
    if source.is_integer:
        return Value(f"(void *)(uintptr_t){value.inside(UNARY)}", UNARY, HANDLE)
    if target.is_integer:
        return Value(f"({cg.type_name(target)})(uintptr_t){value.inside(UNARY)}", UNARY, target)
    raise cg.refusal(f"a cast from {source} to {target}", node.span)


def as_dtype(value: Value, dtype: DType) -> Value:
    """Return a value in the C type of its dtype, for where the type decides: arguments, products, shifts."""
    return value if not dtype.is_integer else value.as_type(dtype)


# -- memory


@rule(tir.BufferLoad)
def write_load(cg: Codegen, node: tir.BufferLoad) -> Value:
    if node.predicate is not None:
        raise cg.refusal("a load with a predicate", node.span)
    cg.type_name(node.dtype, node.span)
    return Value(element(cg, node.buffer, node.indices), PRIMARY, node.dtype)


def element(cg: Codegen, buffer: Buffer, indices: tuple[Expr, ...]) -> str:
    """Return an element of a buffer as what can be read or assigned to."""
    cg.require_plain(buffer)
    kind = cg.type_name(buffer.dtype, buffer.span)
    name = cg.lookup(buffer.data)
    base = name if cg.pointees.get(buffer.data) is buffer.dtype else f"(({kind} *){name})"
    return f"{base}[{_offset(cg, buffer, indices).text}]"


def _offset(cg: Codegen, buffer: Buffer, indices: tuple[Expr, ...]) -> Value:
    """Write the distance from the data pointer in elements."""
    total: Expr | None = None if is_const(buffer.elem_offset, 0) else buffer.elem_offset
    if buffer.strides:
        for index, stride in zip(indices, buffer.strides, strict=True):
            term = _product(index, stride)
            total = term if total is None else _sum(total, term)
    elif indices:
        flat = indices[0]
        for index, extent in zip(indices[1:], buffer.shape[1:], strict=True):
            flat = _sum(_product(flat, extent), index)
        total = flat if total is None else _sum(total, flat)
    return write_index(cg, total) if total is not None else Value("0", PRIMARY, INT32)


def _product(a: Expr, b: Expr) -> Expr:
    return a if is_const(b, 1) else tir.Mul(*_same(a, b))


def _sum(a: Expr, b: Expr) -> Expr:
    return tir.Add(*_same(a, b))


def _same(a: Expr, b: Expr) -> tuple[Expr, Expr]:
    """Return two integers in the wider of their dtypes."""
    if a.dtype.bits < b.dtype.bits:
        return tir.Cast(b.dtype, a), b
    return a, b if a.dtype.bits == b.dtype.bits else tir.Cast(a.dtype, b)
