"""Convert index expressions to canonical sums."""

from __future__ import annotations

from collections.abc import Callable
from math import gcd
from typing import Any, Final

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.engine import Engine
from tvmscript.ir.arith.sums.canonical_sum import SumContext
from tvmscript.ir.arith.sums.extremum import divide_operands, multiply_choices, simplify_extremum
from tvmscript.ir.arith.sums.linear_form import ZERO, Atom, Linear, constant, is_index_dtype
from tvmscript.ir.arith.value_numbering import expr_deep_equal, structural_key
from tvmscript.ir.core import DType
from tvmscript.ir.tir import Add, BinaryOp, Cast, Div, Expr, FloorDiv, FloorMod, IntImm, Max, Min, Mod, Mul, Select, Sub
from tvmscript.ir.tir.operators import wrap

LinearRule = Callable[[Engine, Any], Linear]


def _wrap_constant(value: Linear, dtype: DType) -> Linear:
    """Wrap a constant to its dtype. Sums with variables do not overflow."""
    if value.terms or dtype.min_value <= value.const <= dtype.max_value:
        return value
    return constant(wrap(value.const, dtype))


def _add(engine: Engine, node: Add) -> Linear:
    if type(node.a) is Select and (chosen := _combine_choices(engine, node, node.a)) is not None:
        return chosen
    total = engine.linear(node.a).plus(engine.linear(node.b))
    if not total.terms:
        return _wrap_constant(total, node.dtype)
    return engine.sums.join_remainders(total) if engine.sums.atoms.remainders else total


def _sub(engine: Engine, node: Sub) -> Linear:
    if type(node.a) is Select and (chosen := _combine_choices(engine, node, node.a)) is not None:
        return chosen
    return _wrap_constant(engine.linear(node.a).plus(engine.linear(node.b), -1), node.dtype)


def _combine_choices(engine: Engine, node: BinaryOp, choice: Select) -> Linear | None:
    """select(c, x, y) op select(c, z, w) = select(c, x op z, y op w), and the same for select(c, x, y) - x."""
    cls, other = type(node), node.b
    if isinstance(other, Select):
        if not expr_deep_equal(choice.condition, other.condition):
            return None
        pairs = (other.true_value, other.false_value)
    elif cls is Sub and engine.linear(other).key in [
        engine.linear(side).key for side in (choice.true_value, choice.false_value)
    ]:
        pairs = (other, other)
    else:
        return None
    values = [cls(*sides) for sides in zip((choice.true_value, choice.false_value), pairs, strict=True)]
    return engine.linear(Select(choice.condition, *values, span=node.span))


def multiply(engine: Engine, a: Linear, b: Linear, dtype: DType) -> Linear:
    """Return the product of two sums. A product of two variables is an atom."""
    if not b.terms or not a.terms:
        value, by = (b, a) if b.terms else (a, b)
        return _wrap_constant(value.times(by.const), dtype)
    sums = engine.sums
    (left, x), (right, y) = sums.factor(a), sums.factor(b)
    if sums.atoms.choice_ops and (operands := multiply_choices(sums, x, y)) is not None:
        return multiply(engine, *operands, dtype).times(left * right)
    return Linear({sums.atoms.product((x, y)): left * right}, 0)


def _mul(engine: Engine, node: Mul) -> Linear:
    if type(node.b) is IntImm:
        return _wrap_constant(engine.linear(node.a).times(node.b.value), node.dtype)
    left, right = engine.linear(node.a), engine.linear(node.b)
    product = multiply(engine, left, right, node.dtype)
    engine.sums.forms.record_product(product, left, right)
    return product


def _floordiv(engine: Engine, node: FloorDiv) -> Linear:
    if type(node.b) is IntImm and node.b.value > 0:
        return _divide_by_constant(engine, engine.linear(node.a), node.b.value, node.dtype)
    return _linearize_division(engine, node)


def _divide_by_constant(engine: Engine, dividend: Linear, divisor: int, dtype: DType) -> Linear:
    if engine.sums.atoms.choice_ops and divisor > 0:
        choice = divide_operands(engine.writer, dividend, divisor, dtype)
        if choice is not None:
            return choice
    return engine.sums.floordiv(dividend, divisor)


def _floormod(engine: Engine, node: FloorMod) -> Linear:
    if type(node.b) is IntImm and node.b.value > 0:
        return engine.sums.floormod(engine.linear(node.a), node.b.value)
    return _linearize_division(engine, node)


def _linearize_division(engine: Engine, node: BinaryOp) -> Linear:
    return divide(engine, type(node), engine.linear(node.a), engine.linear(node.b), node.dtype)


def divide(engine: Engine, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    """Return FloorDiv, FloorMod, Div or Mod (`cls`) of two sums."""
    return DIVISIONS[cls](engine, cls, a, b, dtype)


def _divide_floor(engine: Engine, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    """Take multiples of a symbolic divisor out; a rest that is smaller than the divisor vanishes."""
    sums, is_quotient = engine.sums, cls is FloorDiv
    if _is_plain_divisor(a, b, dtype):
        return sums.floordiv(a, b.const) if is_quotient else sums.floormod(a, b.const)
    if b.is_const:
        return _division_atom(engine, cls, a, b, dtype)
    quotient, rest = sums.divide_exactly(a, b)
    if not dtype.is_signed and not sums.is_at_most_zero(rest.times(-1)):
        quotient, rest = ZERO, a  # a negative rest has no unsigned value
    if rest.is_const and rest.const == 0:
        return quotient if is_quotient else ZERO
    if sums.is_at_most_zero(rest.times(-1)) and sums.is_at_most_zero(rest.plus(b, -1).shifted(1)):
        return quotient if is_quotient else rest
    if is_quotient and sums.is_at_most_zero(rest.shifted(1)) and sums.is_at_most_zero(rest.plus(b).times(-1)):
        return quotient.shifted(-1)
    left = _division_atom(engine, cls, rest, b, dtype)
    if (quotient.terms or quotient.const) and not (is_quotient and _is_extracted_by_tvm(sums, quotient, b)):
        write = engine.writer.write
        taken_out = quotient if is_quotient else ZERO
        sums.forms.record_division_by_sum(left, taken_out, cls(write(a, dtype), write(b, dtype)))
    if is_quotient:
        return quotient.plus(left)
    return _record_remainder(engine, left, FloorDiv, rest, b, dtype)


def _is_extracted_by_tvm(sums: SumContext, quotient: Linear, divisor: Linear) -> bool:
    """Whether TVM takes multiples of the divisor out: if that is a variable that is not negative."""
    variable = divisor.single
    if variable is None or variable.factors or not sums.bounds(divisor).within(0, None):
        return False
    return all(abs(factor) == 1 and not atom.factors for atom, factor in quotient.terms.items())


def _is_plain_divisor(a: Linear, b: Linear, dtype: DType) -> bool:
    """Whether b is a constant divisor: not zero, and negative only if a is constant."""
    if not b.is_const or not b.const:
        return False
    return b.const > 0 or (a.is_const and not (b.const == -1 and a.const == dtype.min_value))


def _division_atom(engine: Engine, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    write = engine.writer.write
    return engine.sums.atoms.atom((cls, a.key, b.key), cls(write(a, dtype), write(b, dtype))).whole


def _divide_trunc(engine: Engine, cls: type[BinaryOp], a: Linear, b: Linear, dtype: DType) -> Linear:
    sums, is_quotient = engine.sums, cls is Div
    if b.is_const and b.const and not (a.is_const and b.const == -1 and a.const == dtype.min_value):
        if a.is_const:
            return constant((fold.truncdiv if is_quotient else fold.truncmod)(a.const, b.const))
        exact = sums.residues(a).is_multiple_of(b.const)
        if exact or (b.const > 0 and sums.bounds(a).within(0, None)):
            sums.atoms.has_truncations = True
            return _divide_by_constant(engine, a, b.const, dtype) if is_quotient else sums.floormod(a, b.const)
        if b.const < -1 and not is_quotient:
            return _divide_trunc(engine, cls, a, constant(-b.const), dtype)
        if b.const > 0:
            content = gcd(b.const, a.const, *a.terms.values())
            if content > 1:  # k * x over k * y
                parts = Linear({atom: f // content for atom, f in a.terms.items()}, a.const // content)
                value = _divide_trunc(engine, cls, parts, constant(b.const // content), dtype)
                return value if is_quotient else value.times(content)
            nested = _merge_truncations(engine, cls, a, b.const, dtype)
            if nested is not None:
                return nested
    elif not b.is_const and _rounds_down(sums, a, b):
        sums.atoms.has_truncations = True
        return _divide_floor(engine, FloorDiv if is_quotient else FloorMod, a, b, dtype)
    left = _division_atom(engine, cls, a, b, dtype)
    return left if is_quotient else _record_remainder(engine, left, Div, a, b, dtype)


def _rounds_down(sums: SumContext, a: Linear, b: Linear) -> bool:
    """Whether a quotient that is rounded towards zero is rounded down: it is exact, or not negative."""
    quotient, rest = sums.divide_exactly(a, b)
    if quotient.terms or quotient.const:
        return (rest.is_const and not rest.const) or (sums.bounds(a).within(0, None) and sums.bounds(b).within(0, None))
    return False


def _merge_truncations(engine: Engine, cls: type[BinaryOp], value: Linear, divisor: int, dtype: DType) -> Linear | None:
    """Div(Div(x, c), d) = Div(x, c * d), and Mod(Mod(x, c * d), d) = Mod(x, d), for positive divisors."""
    atom = value.single
    inner = None if atom is None else atom.expr
    if type(inner) is not cls or not isinstance(inner, (Div, Mod)) or not isinstance(inner.b, IntImm):
        return None
    if inner.b.value <= 0:
        return None
    if cls is Mod:
        return (
            None if inner.b.value % divisor else divide(engine, Mod, engine.linear(inner.a), constant(divisor), dtype)
        )
    whole = inner.b.value * divisor
    return divide(engine, Div, engine.linear(inner.a), constant(whole), dtype) if whole <= dtype.max_value else None


def _record_remainder(
    engine: Engine, made: Linear, quotient: type[BinaryOp], a: Linear, b: Linear, dtype: DType
) -> Linear:
    """Record that the remainder `made` and the quotient of a and b add up to a."""
    whole = multiply(engine, _division_atom(engine, quotient, a, b, dtype), b, dtype)
    engine.sums.atoms.remainders[next(iter(made.terms))] = whole, a
    return made


DIVISIONS: Final[dict[type[BinaryOp], Callable[[Engine, type[BinaryOp], Linear, Linear, DType], Linear]]] = {
    FloorDiv: _divide_floor,
    FloorMod: _divide_floor,
    Div: _divide_trunc,
    Mod: _divide_trunc,
}


def _linearize_extremum(engine: Engine, node: Min | Max) -> Linear:
    if type(node.a) is Select and (chosen := _combine_choices(engine, node, node.a)) is not None:
        return chosen
    operands = (engine.linear(node.a), engine.linear(node.b))
    return simplify_extremum(engine.writer, type(node), operands, node.dtype, is_node=True)


def convert(engine: Engine, node: Cast) -> Linear | None:
    """Convert the terms of a sum to another index dtype. None if arithmetic there may overflow."""
    source, dtype = node.value.dtype, node.dtype
    if source is dtype or not (is_index_dtype(source) and is_index_dtype(dtype)):
        return None
    value = engine.linear(node.value)
    if engine.is_exact and any(map(engine.sums.atoms.is_data, value.terms)):
        return None
    return _convert_sum(engine, value, dtype)


def _convert_sum(engine: Engine, value: Linear, dtype: DType) -> Linear | None:
    if not _fits(engine.sums, value, dtype):
        return None
    total = constant(value.const)
    for atom, factor in value.terms.items():
        total = total.plus(_convert_atom(engine, atom, dtype), factor)
    return total


def _convert_atom(engine: Engine, atom: Atom, dtype: DType) -> Linear:
    inner = _convert_sum(engine, atom.inner, dtype) if atom.inner is not None and atom.divisor > 1 else None
    if inner is not None:
        return (engine.sums.floormod if atom.is_remainder else engine.sums.floordiv)(inner, atom.divisor)
    converted = Cast(dtype, engine.writer.write_atom(atom))
    return engine.sums.atoms.atom(structural_key(converted), converted).whole


def _fits(sums: SumContext, value: Linear, dtype: DType) -> bool:
    """Whether the sum and its parts have values of the dtype. Arithmetic of the narrower dtype does not overflow."""
    if value.terms and all(atom.dtype.bits < dtype.bits for atom in value.terms):
        return True
    parts = [Linear({atom: factor}, 0) for atom, factor in value.terms.items()]
    return all(sums.bounds(part).within(dtype.min_value, dtype.max_value) for part in (value, *parts))


LINEAR: Final[dict[type[Expr], LinearRule]] = {
    Add: _add,
    Sub: _sub,
    Mul: _mul,
    Div: _linearize_division,
    Mod: _linearize_division,
    FloorDiv: _floordiv,
    FloorMod: _floormod,
    Min: _linearize_extremum,
    Max: _linearize_extremum,
}
