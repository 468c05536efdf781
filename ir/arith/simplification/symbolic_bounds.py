"""Symbolic bounds of an expression while some of its variables run over domains.

The bounds are exact for affine sums of independent variables, and conservative otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tvmscript.ir.arith.engine import Engine
from tvmscript.ir.arith.fold import cast
from tvmscript.ir.arith.intervals import bounds as interval
from tvmscript.ir.arith.intervals.bounds import Bounds
from tvmscript.ir.arith.simplification.expr_to_sum import divide, multiply
from tvmscript.ir.arith.sums.extremum import simplify_extremum
from tvmscript.ir.arith.sums.linear_form import Atom, Linear, constant, is_index_dtype
from tvmscript.ir.core import DType, Op
from tvmscript.ir.tir import GE, Call, Cast, Div, Expr, FloorDiv, FloorMod, IntImm, Max, Min, Mod, Select, Var, uses

#: Least and greatest value.
ClosedBounds = tuple[Linear, Linear]
#: Least and greatest value; None is "no known limit".
SymbolicBounds = tuple[Linear | None, Linear | None]
Domains = Mapping[Var, SymbolicBounds]

NO_BOUNDS: Final[SymbolicBounds] = (None, None)


def infer_closed_bounds(engine: Engine, value: Linear, domains: Domains) -> ClosedBounds | None:
    """Return bounds without the variables of `domains`, None if one is unknown."""
    low, high = infer_bounds(engine, value, domains)
    return None if low is None or high is None else (low, high)


def infer_bounds(engine: Engine, value: Linear, domains: Domains) -> SymbolicBounds:
    """Return bounds of the value without the variables of `domains`.

    The ends of a domain may depend on variables of other domains. An end that the dtype cannot say is none.
    """
    low, high = _bound_sum(engine, value, domains)
    if not value.terms:
        return low, high
    dtype = next(iter(value.terms)).dtype
    return (
        None if low is None or not fits(low, dtype) else low,
        None if high is None or not fits(high, dtype) else high,
    )


def fits(end: Linear, dtype: DType) -> bool:
    """Whether the numbers in a sum fit the dtype."""
    if end.is_const:
        return dtype.min_value <= end.const <= dtype.max_value
    return all(abs(number) <= dtype.max_value for number in (end.const, *end.terms.values()))


def _bound_sum(engine: Engine, value: Linear, domains: Domains) -> SymbolicBounds:
    """Return bounds of a sum, which may exceed its dtype."""
    groups, const = engine.sums.regroup(value)
    low: Linear | None = constant(const)
    high: Linear | None = low
    for factor, atom in groups:
        first, last = _bound_atom(engine, atom, domains)
        if factor < 0:
            first, last = last, first
        low = None if low is None or first is None else low.plus(first, factor)
        high = None if high is None or last is None else high.plus(last, factor)
    return low, high


def _bound_atom(engine: Engine, atom: Atom, domains: Domains) -> SymbolicBounds:
    expr = atom.expr
    if isinstance(expr, Var):
        domain = domains.get(expr)
        return _fixed_bounds(atom) if domain is None else _bound_variable(engine, atom, domain, domains)
    if atom.inner is not None:
        return _bound_division(engine, atom, atom.inner, domains)
    if atom.factors:
        return _bound_product(engine, atom, domains)
    written = engine.writer.write_atom(atom)
    if uses(written).isdisjoint(domains):
        return _fixed_bounds(atom)
    for cls in (Min, Max):
        if len(operands := engine.sums.atoms.operands_of(atom.whole, cls)) > 1:
            return _bound_extremum(engine, cls, [infer_bounds(engine, part, domains) for part in operands], atom.dtype)
    rule = OPAQUE.get(type(written))
    return _constant_bounds(engine, atom) if rule is None else rule(engine, atom, written, domains)


def _fixed_bounds(atom: Atom) -> SymbolicBounds:
    whole = atom.whole
    return whole, whole


def _constant_bounds(engine: Engine, atom: Atom) -> SymbolicBounds:
    """Return the constant bounds of an atom, without those that are the limits of its dtype."""
    low, high = engine.sums.atom_bounds(atom)
    limits = interval.of_dtype(atom.dtype)
    return (
        None if low is None or low == limits.low else constant(low),
        None if high is None or high == limits.high else constant(high),
    )


def _bound_variable(engine: Engine, atom: Atom, domain: SymbolicBounds, domains: Domains) -> SymbolicBounds:
    """Return bounds of a variable over its domain and the other domains, narrowed by assumptions."""
    first, last = domain
    # a variable may be an end of its own domain
    if first is not None and first.terms and first.single is not atom:
        first = infer_bounds(engine, first, domains)[0]
    if last is not None and last.terms and last.single is not atom:
        last = infer_bounds(engine, last, domains)[1]
    declared_bounds = engine.sums.ranges.get(atom)
    if declared_bounds is not None:
        first, last = _narrow(first, last, declared_bounds)
    return first, last


def _narrow(first: Linear | None, last: Linear | None, known: Bounds) -> SymbolicBounds:
    if known.low is not None and first is not None and first.is_const:
        first = constant(max(first.const, known.low))
    if known.high is not None and last is not None and last.is_const:
        last = constant(min(last.const, known.high))
    return first, last


def _bound_division(engine: Engine, atom: Atom, inner: Linear, domains: Domains) -> SymbolicBounds:
    """Return bounds of a quotient or remainder by a constant; with a divisor of 1, of a sum in a product."""
    low, high = _bound_sum(engine, inner, domains)
    if atom.divisor == 1:
        return low, high
    sums = engine.sums
    first = None if low is None else sums.floordiv(low, atom.divisor)
    last = None if high is None else sums.floordiv(high, atom.divisor)
    if not atom.is_remainder:
        return first, last
    if low is not None and high is not None and first is not None and last is not None and first.key == last.key:
        return low.plus(first, -atom.divisor), high.plus(last, -atom.divisor)
    return constant(0), constant(atom.divisor - 1)


def _bound_product(engine: Engine, atom: Atom, domains: Domains) -> SymbolicBounds:
    """Return bounds of a product with one varying factor, or of factors that are not negative."""
    ends: SymbolicBounds = (constant(1), constant(1))
    for part in atom.factors:
        ends = multiply_bounds(engine, ends, _bound_atom(engine, part, domains), atom.dtype)
    return ends


def multiply_bounds(engine: Engine, a: SymbolicBounds, b: SymbolicBounds, dtype: DType) -> SymbolicBounds:
    """Return bounds of a product."""
    fixed, ends = (a, b) if _is_single(a) else (b, a)
    if _is_single(fixed) and fixed[0] is not None:
        return _map_monotone(engine, ends, fixed[0], dtype, _times)
    corners = [x.const * y.const for x in a for y in b if x is not None and y is not None and x.is_const and y.is_const]
    if len(corners) == 4:
        return constant(min(corners)), constant(max(corners))
    if not all(end is not None and engine.sums.is_at_most_zero(end.times(-1)) for end in (a[0], b[0])):
        return NO_BOUNDS
    low, high = (None if x is None or y is None else _times(engine, x, y, dtype) for x, y in zip(a, b, strict=True))
    return low, high


def _times(engine: Engine, a: Linear, b: Linear, dtype: DType) -> Linear:
    """Return a product of bounds. A product of constants does not wrap here."""
    return a.times(b.const) if b.is_const else b.times(a.const) if a.is_const else multiply(engine, a, b, dtype)


Combine = Callable[[Engine, Linear, Linear, DType], Linear]


def _map_monotone(engine: Engine, ends: SymbolicBounds, by: Linear, dtype: DType, combine: Combine) -> SymbolicBounds:
    """Apply a product with, or a quotient by, a fixed number. A negative number exchanges the ends."""
    sums = engine.sums
    low, high = (None if end is None else combine(engine, end, by, dtype) for end in ends)
    if sums.is_at_most_zero(by.times(-1)):
        return low, high
    if sums.is_at_most_zero(by):
        return high, low
    if low is None or high is None:
        return NO_BOUNDS
    write = engine.writer.write
    is_positive = GE(write(by, dtype), IntImm(dtype, 0))
    first, last = write(low, dtype), write(high, dtype)
    return engine.linear(Select(is_positive, first, last)), engine.linear(Select(is_positive, last, first))


def _is_single(ends: SymbolicBounds) -> bool:
    return ends[0] is not None and ends[1] is not None and ends[0].key == ends[1].key


def _bound_extremum(
    engine: Engine, cls: type[Min] | type[Max], parts: Iterable[SymbolicBounds], dtype: DType
) -> SymbolicBounds:
    """Return bounds of a minimum (maximum): an operand with known bounds is an upper (lower) bound."""
    first, last = zip(*parts, strict=True)
    return _extremum_of_ends(engine, cls, first, dtype, cls is Max), _extremum_of_ends(
        engine, cls, last, dtype, cls is Min
    )


def _extremum_of_ends(
    engine: Engine, cls: type[Min] | type[Max], ends: Sequence[Linear | None], dtype: DType, may_miss: bool
) -> Linear | None:
    finite_ends = [end for end in ends if end is not None]
    if not finite_ends or (len(finite_ends) < len(ends) and not may_miss):
        return None
    return simplify_extremum(engine.writer, cls, finite_ends, dtype)


def unite_bounds(engine: Engine, parts: Iterable[SymbolicBounds], dtype: DType) -> SymbolicBounds:
    """Return the union of bounds, with minima and maxima as ends if their order is unknown."""
    first, last = zip(*parts, strict=True)
    return _extremum_of_ends(engine, Min, first, dtype, False), _extremum_of_ends(engine, Max, last, dtype, False)


def intersect_bounds(engine: Engine, parts: Iterable[SymbolicBounds], dtype: DType) -> SymbolicBounds:
    """Return the intersection of bounds."""
    first, last = zip(*parts, strict=True)
    return _extremum_of_ends(engine, Max, first, dtype, True), _extremum_of_ends(engine, Min, last, dtype, True)


# -- expressions that are not sums: (engine, atom, its expression, domains)


def _bound_quotient(engine: Engine, atom: Atom, node: FloorDiv | Div, domains: Domains) -> SymbolicBounds:
    """Return bounds of a quotient by a fixed divisor that is not a positive constant."""
    divisor = infer_bounds(engine, engine.linear(node.b), domains)
    if not _is_single(divisor) or divisor[0] is None:
        return _constant_bounds(engine, atom)

    def combine(engine: Engine, a: Linear, b: Linear, dtype: DType) -> Linear:
        return divide(engine, type(node), a, b, dtype)

    return _map_monotone(engine, infer_bounds(engine, engine.linear(node.a), domains), divisor[0], atom.dtype, combine)


def _bound_floormod(engine: Engine, atom: Atom, node: FloorMod | Mod, domains: Domains) -> SymbolicBounds:
    """Return bounds of a remainder by a symbolic divisor; the dividend is reduced if the quotient is unique."""
    divisor, sums = infer_bounds(engine, engine.linear(node.b), domains), engine.sums
    if divisor[0] is None or not sums.is_at_most_zero(divisor[0].times(-1)):
        return _constant_bounds(engine, atom)
    ends = infer_closed_bounds(engine, engine.linear(node.a), domains)
    if ends is not None and _is_single(divisor):
        first, last = (divide(engine, FloorDiv, end, divisor[0], atom.dtype) for end in ends)
        if first.key == last.key:
            low, high = (divide(engine, FloorMod, end, divisor[0], atom.dtype) for end in ends)
            return low, high
    return constant(0), None if divisor[1] is None else divisor[1].shifted(-1)


def _bound_truncmod(engine: Engine, atom: Atom, node: Mod, domains: Domains) -> SymbolicBounds:
    """Return bounds of a remainder, for operands that are not negative."""
    divisor, value = (infer_bounds(engine, engine.linear(part), domains)[0] for part in (node.b, node.a))
    if divisor is None or value is None or not (engine.sums.bounds(divisor).within(0, None)):
        return _constant_bounds(engine, atom)
    if not engine.sums.is_at_most_zero(value.times(-1)):
        return _constant_bounds(engine, atom)
    return _bound_floormod(engine, atom, node, domains)


def _bound_select(engine: Engine, atom: Atom, node: Select, domains: Domains) -> SymbolicBounds:
    arms = [infer_bounds(engine, engine.linear(arm), domains) for arm in (node.true_value, node.false_value)]
    return unite_bounds(engine, arms, atom.dtype)


def _bound_call(engine: Engine, atom: Atom, node: Call, domains: Domains) -> SymbolicBounds:
    if isinstance(node.op, Op) and node.op.name == "tir.if_then_else":
        arms = [infer_bounds(engine, engine.linear(arm), domains) for arm in node.args[1:]]
        return unite_bounds(engine, arms, atom.dtype)
    return _constant_bounds(engine, atom)


def _bound_cast(engine: Engine, atom: Atom, node: Cast, domains: Domains) -> SymbolicBounds:
    """Return bounds of a conversion to a wider dtype, or of natural numbers to an unsigned one."""
    source = node.value.dtype
    if not is_index_dtype(source) or source.bits > node.dtype.bits:
        return _constant_bounds(engine, atom)
    ends = infer_bounds(engine, engine.linear(node.value), domains)
    if not is_index_dtype(node.dtype) and (ends[0] is None or not engine.sums.is_at_most_zero(ends[0].times(-1))):
        return _constant_bounds(engine, atom)
    low, high = (
        None if end is None else engine.linear(cast(node.dtype, engine.writer.write(end, source), None)) for end in ends
    )
    return low, high


OPAQUE: Final[dict[type[Expr], Callable[[Engine, Atom, Any, Domains], SymbolicBounds]]] = {
    FloorDiv: _bound_quotient,
    Div: _bound_quotient,
    FloorMod: _bound_floormod,
    Mod: _bound_truncmod,
    Select: _bound_select,
    Call: _bound_call,
    Cast: _bound_cast,
}
