"""Systems of conditions on integers, bounds of one variable, and the map from one system to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import FALSE, add, is_const, make, mul, sub
from tvmscript.ir.arith.int_set import Domain, eval_set
from tvmscript.ir.core.node import Building, Node, node
from tvmscript.ir.tir import EQ, GE, LE, Expr, FloorDiv, IntImm, Range, Var, as_expr, match_types, substitute, uses


@node
class IntConstraints(Node):
    """Conditions on integer variables: their ranges, and relations between them and other variables."""

    variables: tuple[Var, ...]
    ranges: dict[Var, Range]
    relations: tuple[Expr, ...]

    def __init__(
        self: Building,
        variables: Sequence[Var] | None,
        ranges: Mapping[Var, Range] | None,
        relations: Sequence[Expr | bool],
    ) -> None:
        self.variables = tuple(variables or ())
        self.ranges = dict(ranges or {})
        self.relations = tuple(map(as_expr, relations))
        self.span = None

    @staticmethod
    def unsolvable() -> IntConstraints:
        """Return the system that no values satisfy."""
        return IntConstraints((), {}, (FALSE,))

    def bound_analyzer(self) -> Analyzer:
        """Return an analyzer that knows the ranges."""
        return bind_all(self.ranges)

    def __str__(self) -> str:
        ranges = ", ".join(f"{var}: {domain}" for var, domain in self.ranges.items())
        return f"IntConstraints([{_listed(self.variables)}], {{{ranges}}}, [{_listed(self.relations)}])"

    __repr__ = __str__


@node
class IntConstraintsTransform(Node):
    """A system `src`, an equivalent system `dst`, and the variables of each as expressions of the other's.

    The solutions of the two correspond one to one.
    """

    src: IntConstraints
    dst: IntConstraints
    src_to_dst: dict[Var, Expr]
    dst_to_src: dict[Var, Expr]

    def __str__(self) -> str:
        maps = [
            "{" + ", ".join(f"{var}: {value}" for var, value in values.items()) + "}"
            for values in (self.src_to_dst, self.dst_to_src)
        ]
        return "".join(("IntConstraintsTransform(", *(f"\n\t{part}" for part in (self.src, self.dst, *maps)), "\n)"))

    __repr__ = __str__


@node
class IntGroupBounds(Node):
    """Bounds of `coef * variable`: it is at least each of `lower`, at most each of `upper`, and each of `equal`."""

    coef: Expr
    lower: tuple[Expr, ...]
    equal: tuple[Expr, ...]
    upper: tuple[Expr, ...]

    def __init__(
        self: Building,
        coef: Expr | int,
        lower: Sequence[Expr | int],
        equal: Sequence[Expr | int],
        upper: Sequence[Expr | int],
    ) -> None:
        self.coef = as_expr(coef)
        self.lower, self.equal, self.upper = (tuple(map(as_expr, part)) for part in (lower, equal, upper))
        self.span = None

    def __str__(self) -> str:
        parts = (f"{name}=[{_listed(getattr(self, name))}]" for name in ("lower", "equal", "upper"))
        return f"IntGroupBounds(coef={self.coef}, {', '.join(parts)})"

    __repr__ = __str__

    @staticmethod
    def from_range(rng: Range) -> IntGroupBounds:
        """Return the bounds of a variable that runs over a range."""
        return IntGroupBounds(IntImm(rng.min.dtype, 1), (), (), ()).tightened(rng)

    @property
    def value(self) -> Expr | None:
        """The simplest value of the variable itself that an equation gives."""
        return self.equal[0] if self.equal and is_const(self.coef, 1) else None

    def tightened(self, domain: Range) -> IntGroupBounds:
        """Return these bounds, preceded by those of a range of the variable."""
        simplify = Analyzer().simplify
        first = simplify(mul(*match_types(domain.min, self.coef)))
        if is_const(domain.extent, 1):
            return IntGroupBounds(self.coef, self.lower, (first, *self.equal), self.upper)
        last = simplify(mul(*match_types(last_of(domain), self.coef)))
        return IntGroupBounds(self.coef, (first, *self.lower), self.equal, (last, *self.upper))

    def substituted(self, values: Mapping[Var, Expr]) -> IntGroupBounds:
        """Return these bounds with variables replaced."""
        parts = ([substitute(bound, values) for bound in part] for part in (self.lower, self.equal, self.upper))
        return IntGroupBounds(substitute(self.coef, values), *parts)

    def conditions(self, var: Var) -> Iterator[Expr]:
        """Yield the comparisons that say these bounds of the variable."""
        scaled = mul(*match_types(self.coef, var))
        for cls, bounds in ((EQ, self.equal), (GE, self.lower), (LE, self.upper)):
            for bound in bounds:
                yield make(cls, *match_types(scaled, bound))

    def find_best_range(self, ranges: Mapping[Var, Range] | None = None) -> Range | None:
        """Return a range that contains all values of the variable; None if it is not bounded on both sides.

        Of all pairs of a lower and an upper bound the one is taken whose difference, over `ranges` of other
        variables, has the least upper bound.
        """
        domains: Mapping[Var, Domain] = ranges or {}
        analyzer = bind_all(ranges or {})
        lowers, uppers = (*self.equal, *self.lower), (*self.equal, *self.upper)
        if len(lowers) == 1 and len(uppers) == 1 and is_const(self.coef, 1):
            first, last = match_types(lowers[0], uppers[0])
            extent = sub(add(last, IntImm(last.dtype, 1)), first)
            return Range.from_min_extent(analyzer.simplify(first), analyzer.simplify(extent))
        best: tuple[Expr, Expr] | None = None
        for low in lowers:
            for high in uppers:
                first = self._divide_up(low, analyzer)
                reach = self._reach(low, high, first, domains, analyzer)
                if reach is not None and (best is None or analyzer.can_prove_less(reach, best[1])):
                    best = first, reach
        if best is None:
            return None
        first, reach = best
        return Range.from_min_extent(first, analyzer.simplify(add(reach, IntImm(reach.dtype, 1))))

    def _divide_up(self, low: Expr, analyzer: Analyzer) -> Expr:
        """Return low / coef, rounded up."""
        divisor, low = match_types(self.coef, low)
        above = add(low, sub(divisor, IntImm(divisor.dtype, 1)))
        return analyzer.simplify(make(FloorDiv, above, divisor))

    def _reach(
        self, low: Expr, high: Expr, first: Expr, domains: Mapping[Var, Domain], analyzer: Analyzer
    ) -> Expr | None:
        """Return an upper bound of the last value less the first, None if there is none."""
        reaches: list[Expr] = []
        low, high = match_types(low, high)
        for difference in (
            make(FloorDiv, *match_types(sub(high, low), self.coef)),
            sub(*match_types(make(FloorDiv, *match_types(high, self.coef)), first)),
        ):
            values = eval_set(analyzer.simplify(difference), domains, analyzer)
            if values.has_upper_bound:
                reaches.append(analyzer.simplify(values.max_value))
        if len(reaches) == 2 and analyzer.can_prove_less(reaches[1], reaches[0]):
            return reaches[1]
        return reaches[0] if reaches else None


def last_of(domain: Range) -> Expr:
    """Return the last member of a range."""
    first, extent = match_types(domain.min, domain.extent)
    return sub(add(first, extent), IntImm(first.dtype, 1))


def bind_all(ranges: Mapping[Var, Range]) -> Analyzer:
    """Return an analyzer that knows these ranges."""
    analyzer = Analyzer()
    for var, domain in ranges.items():
        analyzer.bind(var, domain)
    return analyzer


def depends_on(domain: Range, variables: Sequence[Var]) -> bool:
    """Return whether a range mentions one of the variables."""
    return not (uses(domain.min) | uses(domain.extent)).isdisjoint(variables)


def _listed(parts: Sequence[object]) -> str:
    return ", ".join(map(str, parts))
