"""Integer sets: intervals with symbolic ends, and their evaluation over domains."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final, Protocol

from tvmscript.ir.arith.fold import add, sub
from tvmscript.ir.arith.simplification.simplify import Simplifier
from tvmscript.ir.arith.simplification.symbolic_bounds import (
    NO_BOUNDS,
    Domains,
    SymbolicBounds,
    fits,
    infer_bounds,
    intersect_bounds,
    unite_bounds,
)
from tvmscript.ir.arith.sums.linear_form import Linear
from tvmscript.ir.core import INT32, DType, WrongType
from tvmscript.ir.core.node import Building, Node, node
from tvmscript.ir.tir import LE, LT, Broadcast, BufferRegion, Expr, IntImm, Ramp, Range, Var, as_expr, match_types, uses

#: Ends of unbounded intervals.
POS_INF: Final = Var("pos_inf", "handle")
NEG_INF: Final = Var("neg_inf", "handle")


class HasSimplifier(Protocol):
    """An object with a simplifier: an `Analyzer`."""

    @property
    def simplifier(self) -> Simplifier: ...


def pos_inf() -> Var:
    """Return the upper end of unbounded intervals."""
    return POS_INF


def neg_inf() -> Var:
    """Return the lower end of unbounded intervals."""
    return NEG_INF


def is_inf(value: Expr) -> bool:
    """Whether an end of an interval is infinite."""
    return value is POS_INF or value is NEG_INF


@node
class IntSet(Node):
    """A set of integers: always an interval. The class has TVM's constructors."""

    @staticmethod
    def nothing() -> IntervalSet:
        """Return the empty set."""
        return IntervalSet(POS_INF, NEG_INF)

    @staticmethod
    def everything() -> IntervalSet:
        """Return the set of all integers."""
        return IntervalSet(NEG_INF, POS_INF)

    @staticmethod
    def single_point(point: Expr | int) -> IntervalSet:
        """Return the set of one integer."""
        value = as_expr(point)
        return IntervalSet(value, value)

    @staticmethod
    def interval(min_value: Expr | int, max_value: Expr | int) -> IntervalSet:
        """Return the integers from one to another, both included."""
        return IntervalSet(min_value, max_value)

    @staticmethod
    def from_range(domain: Range) -> IntervalSet:
        """Return the members of a range."""
        return IntSet.from_min_extent(domain.min, domain.extent)

    @staticmethod
    def from_min_extent(first: Expr, extent: Expr) -> IntervalSet:
        """Return `extent` integers, beginning with `first`."""
        if isinstance(extent, IntImm) and extent.value == 1:
            return IntervalSet(first, first)
        if isinstance(first, IntImm) and isinstance(extent, IntImm):
            last = first.value + extent.value - 1
            if first.dtype.min_value <= last <= first.dtype.max_value:
                return IntervalSet(first, IntImm(first.dtype, last))
        return eval_set(Range.from_min_extent(first, extent), {})

    @staticmethod
    def vector(vec: Expr | int) -> IntervalSet:
        """Return an interval that contains the lanes of a vector."""
        return eval_set(as_expr(vec), {})


@node
class IntervalSet(IntSet):
    """The integers from `min_value` to `max_value`, both included; `POS_INF` and `NEG_INF` are infinite ends.

    Its members are mathematical integers: values that wrap around are not in it.
    """

    min_value: Expr
    max_value: Expr
    argument_order: ClassVar[tuple[str, ...]] = ("min_value", "max_value")

    def __init__(self: Building, min_value: Expr | int, max_value: Expr | int) -> None:
        low, high = as_expr(min_value), as_expr(max_value)
        if not (is_inf(low) or is_inf(high)):
            low, high = match_types(low, high, where="an interval")
        self.min_value, self.max_value, self.span = low, high, None

    def __str__(self) -> str:
        return f"IntervalSet[{_format_end(self.min_value)}, {_format_end(self.max_value)}]"

    __repr__ = __str__

    # -- predicates

    @property
    def has_lower_bound(self) -> bool:
        return not is_inf(self.min_value)

    @property
    def has_upper_bound(self) -> bool:
        return not is_inf(self.max_value)

    def is_nothing(self) -> bool:
        """Whether the set is `IntSet.nothing()`; an interval whose ends are crossed is empty as well."""
        return self.min_value is POS_INF or self.max_value is NEG_INF

    def is_everything(self) -> bool:
        """Whether both ends are infinite."""
        return self.min_value is NEG_INF and self.max_value is POS_INF

    def is_single_point(self) -> bool:
        """Whether both ends are the same expression."""
        return self.min_value is self.max_value and not is_inf(self.min_value)

    def point_value(self) -> Expr:
        """Return the only member. Raises `WrongType` if there are more."""
        if not self.is_single_point():
            raise WrongType(where="point_value()", expected="a set of one point", got=str(self))
        return self.min_value

    def can_prove_single_point(self, analyzer: HasSimplifier | None = None) -> bool:
        """Whether both ends are provably equal."""
        if not (self.has_lower_bound and self.has_upper_bound):
            return False
        return _simplifier(analyzer).can_prove_equal(self.min_value, self.max_value)

    def can_prove_positive(self, analyzer: HasSimplifier | None = None) -> bool:
        """Whether every member is provably greater than zero."""
        return _is_at_most(analyzer, 1, self.min_value)

    def can_prove_non_negative(self, analyzer: HasSimplifier | None = None) -> bool:
        """Whether every member is provably at least zero."""
        return _is_at_most(analyzer, 0, self.min_value)

    def can_prove_negative(self, analyzer: HasSimplifier | None = None) -> bool:
        """Whether every member is provably less than zero."""
        if self.has_upper_bound and self.max_value.dtype.code == "uint":
            return False  # -1 is the largest value of its type there
        return _is_at_most(analyzer, self.max_value, -1)

    def can_prove_non_positive(self, analyzer: HasSimplifier | None = None) -> bool:
        """Whether every member is provably at most zero."""
        return _is_at_most(analyzer, self.max_value, 0)

    # -- ranges

    def cover_range(self, default: Range | None = None, analyzer: HasSimplifier | None = None) -> Range | None:
        """Return the range with the same members, `default` if an end is infinite."""
        if not (self.has_lower_bound and self.has_upper_bound):
            return default
        simplifier, dtype = _simplifier(analyzer), self.min_value.dtype
        first, last = simplifier.linear(self.min_value), simplifier.linear(self.max_value)
        extent = simplifier.writer.write(last.plus(first, -1).shifted(1), dtype)
        return Range.from_min_extent(simplifier.writer.write(first, dtype), extent)

    def match_range(self, domain: Range, analyzer: HasSimplifier | None = None) -> bool:
        """Whether the set provably equals a range."""
        if not (self.has_lower_bound and self.has_upper_bound):
            return False
        simplifier = _simplifier(analyzer)
        last = sub(add(domain.min, domain.extent), IntImm(domain.min.dtype, 1))
        return simplifier.can_prove_equal(self.min_value, domain.min) and simplifier.can_prove_equal(
            self.max_value, last
        )


def _simplifier(analyzer: HasSimplifier | None) -> Simplifier:
    return Simplifier() if analyzer is None else analyzer.simplifier


def _is_at_most(analyzer: HasSimplifier | None, low: Expr | int, high: Expr | int) -> bool:
    """Whether low <= high is provable, for finite ends."""
    if any(isinstance(end, Expr) and is_inf(end) for end in (low, high)):
        return False
    return _simplifier(analyzer).can_prove(LE(*match_types(low, high)))


def _format_end(end: Expr) -> str:
    return end.name if isinstance(end, Var) else str(end)


#: The domain of a variable.
Domain = IntSet | Range


def as_int_set(domain: Domain) -> IntervalSet:
    """Convert a domain to a set."""
    if isinstance(domain, Range):
        return IntSet.from_range(domain)
    if isinstance(domain, IntervalSet):
        return domain
    raise WrongType(where="an integer set", expected="a Range or IntervalSet", got=repr(domain))


# -- between expressions and sums


def open_ends(simplifier: Simplifier, domain: Domain) -> SymbolicBounds:
    """Return the ends of a domain as sums."""
    if isinstance(domain, Range):
        first = simplifier.linear(domain.min)
        if isinstance(domain.extent, IntImm):
            return first, first.shifted(domain.extent.value - 1)
        return first, first.plus(simplifier.linear(domain.extent)).shifted(-1)
    int_set = as_int_set(domain)
    return (
        simplifier.linear(int_set.min_value) if int_set.has_lower_bound else None,
        simplifier.linear(int_set.max_value) if int_set.has_upper_bound else None,
    )


def set_of(simplifier: Simplifier, ends: SymbolicBounds, dtype: DType) -> IntervalSet:
    """Return the set with these ends."""
    low, high = ends
    first = _write_end(simplifier, low, NEG_INF, dtype)
    if low is not None and high is not None and (low is high or low.key == high.key):
        return IntervalSet(first, first)
    return IntervalSet(first, _write_end(simplifier, high, POS_INF, dtype))


def _write_end(simplifier: Simplifier, end: Linear | None, none: Var, dtype: DType) -> Expr:
    return none if end is None or not fits(end, dtype) else simplifier.writer.write(end, dtype)


def eval_set(
    what: Expr | Range | IntSet, dom_map: Mapping[Var, Domain], analyzer: HasSimplifier | None = None
) -> IntervalSet:
    """Return an interval with all values of an expression (members of a range or set) over domains.

    Other variables are fixed: the ends of the interval are expressions of them. The domains may depend on variables
    with domains themselves. What the analyzer knows is used.

    The interval holds the values for which no operation leaves its dtype, and no conversion between int32 and int64
    loses digits: arithmetic does not wrap, also that of unsigned and narrow dtypes. An end beyond the dtype is
    infinite.
    """
    simplifier = _simplifier(analyzer)
    if analyzer is None:  # without facts, nothing else than what is used has a part in it
        used = _used_domains(what, dom_map)
        dom_map = {var: domain for var, domain in dom_map.items() if var in used}
    domains: Domains = {var: open_ends(simplifier, domain) for var, domain in dom_map.items()}
    return eval_set_over(simplifier, what, domains)


def _used_domains(what: Expr | Domain, dom_map: Mapping[Var, Domain]) -> set[Var]:
    """Return the variables with domains that an expression or a domain depends on."""
    used: set[Var] = set()
    parts = [what]
    while parts:
        part = parts.pop()
        names = uses(part if isinstance(part, Expr) else _parts_of(part))
        new = [var for var in names if var in dom_map and var not in used]
        used.update(new)
        parts += [dom_map[var] for var in new]
    return used


def _parts_of(domain: Domain) -> tuple[Expr, Expr]:
    return (domain.min, domain.extent) if isinstance(domain, Range) else _ends_of(as_int_set(domain))


def eval_set_over(simplifier: Simplifier, what: Expr | Range | IntSet, domains: Domains) -> IntervalSet:
    """Evaluate a set over domains whose ends are sums."""
    if isinstance(what, Expr):
        return _eval_expr(simplifier, what, domains)
    if isinstance(what, IntSet) and as_int_set(what).is_nothing():
        return IntSet.nothing()
    first, last = open_ends(simplifier, what)
    low, high = NO_BOUNDS if first is None else infer_bounds(simplifier, first, domains)
    if last is not first:
        high = None if last is None else infer_bounds(simplifier, last, domains)[1]
    return set_of(simplifier, (low, high), _dtype_of(what))


def _eval_expr(simplifier: Simplifier, expr: Expr, domains: Domains) -> IntervalSet:
    dtype = expr.dtype.element
    if not dtype.is_integer:
        raise WrongType(where="an integer set", expected="an integer expression", got=expr.dtype)
    if dtype.is_bool:
        return IntervalSet(IntImm(dtype, 0), IntImm(dtype, 1))
    if isinstance(expr, Broadcast):
        expr = expr.value
    if isinstance(expr, Ramp) and isinstance(expr.stride, IntImm) and not expr.dtype.is_scalable:
        reach = expr.stride.value * (expr.dtype.lanes - 1)
        low, high = infer_bounds(simplifier, simplifier.linear(expr.base), domains)
        ends = (
            None if low is None else low.shifted(min(reach, 0)),
            None if high is None else high.shifted(max(reach, 0)),
        )
        return set_of(simplifier, ends, dtype)
    if expr.dtype.lanes != 1:
        return IntSet.everything()
    return set_of(simplifier, infer_bounds(simplifier, simplifier.linear(expr), domains), dtype)


def _dtype_of(domain: Domain) -> DType:
    ends: tuple[Expr, ...] = (domain.min,) if isinstance(domain, Range) else _ends_of(as_int_set(domain))
    return next((end.dtype for end in ends if not is_inf(end)), INT32)


def _ends_of(made: IntervalSet) -> tuple[Expr, Expr]:
    return made.min_value, made.max_value


# -- several sets

_Combine = Callable[[Simplifier, Iterable[SymbolicBounds], DType], SymbolicBounds]


def _combine_sets(sets: Iterable[IntervalSet], simplifier: Simplifier, combine: _Combine) -> IntervalSet:
    operands = list(sets)
    dtype = next((_dtype_of(one) for one in operands if not one.is_everything()), INT32)
    ends = combine(simplifier, [open_ends(simplifier, one) for one in operands], dtype)
    return set_of(simplifier, ends, dtype)


def union(sets: Iterable[IntSet], analyzer: HasSimplifier | None = None) -> IntervalSet:
    """Return an interval that contains the sets."""
    some = [one for one in map(as_int_set, sets) if not one.is_nothing()]
    if len(some) < 2:
        return some[0] if some else IntSet.nothing()
    return _combine_sets(some, _simplifier(analyzer), unite_bounds)


def intersect(sets: Iterable[IntSet], analyzer: HasSimplifier | None = None) -> IntervalSet:
    """Return the intersection: `nothing` if that is provably empty, `everything` for no sets."""
    some = [as_int_set(one) for one in sets]
    if any(one.is_nothing() for one in some):
        return IntSet.nothing()
    if len(some) < 2:
        return some[0] if some else IntSet.everything()
    simplifier = _simplifier(analyzer)
    result = _combine_sets(some, simplifier, intersect_bounds)
    is_bounded = result.has_lower_bound and result.has_upper_bound
    is_empty = is_bounded and simplifier.can_prove(LT(result.max_value, result.min_value))
    return IntSet.nothing() if is_empty else result


def union_lower_bound(sets: Iterable[IntSet], analyzer: HasSimplifier | None = None) -> IntervalSet:
    """Return an interval inside the union. Sets that are not adjacent to the first ones are left out."""
    some = [one for one in map(as_int_set, sets) if not one.is_nothing()]
    if not some:
        return IntSet.nothing()
    covered = some[0]
    for one in some[1:]:
        if _are_adjacent(analyzer, covered, one) and _are_adjacent(analyzer, one, covered):
            covered = union((covered, one), analyzer)
    return covered


def _are_adjacent(analyzer: HasSimplifier | None, a: IntervalSet, b: IntervalSet) -> bool:
    """Whether `a` provably begins no later than one after the end of `b`."""
    if not a.has_lower_bound or not b.has_upper_bound:
        return True
    return _is_at_most(analyzer, a.min_value, add(b.max_value, IntImm(b.max_value.dtype, 1)))


def union_region_lower_bound(
    regions: Sequence[Sequence[IntSet]], analyzer: HasSimplifier | None = None
) -> tuple[IntervalSet, ...]:
    """Return `union_lower_bound` of each dimension."""
    return tuple(union_lower_bound(sets, analyzer) for sets in zip(*regions, strict=True))


def region_of(region: BufferRegion | Iterable[Range]) -> tuple[IntervalSet, ...]:
    """Return the sets of the dimensions of a region."""
    return tuple(map(IntSet.from_range, region.region if isinstance(region, BufferRegion) else region))
