"""Random index expressions over iterators: splits, fusions, strides, paddings, predicates."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.ir.arith.fold import make
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import GE, LT, Add, FloorDiv, FloorMod, IntImm, Mul, Range
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.var import Var

DIVISORS = (2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 24)


class Case(NamedTuple):
    """Indices over iterators, and a bound on what they have in common."""

    indices: list[Expr]
    domains: dict[Var, Range]
    predicate: Expr | bool
    level: str

    def points(self) -> Iterator[dict[Var, int]]:
        """All values of the iterators for which the predicate holds."""
        ranges = [range(low(domain), low(domain) + extent(domain)) for domain in self.domains.values()]
        for values in itertools.product(*ranges):
            point = dict(zip(self.domains, values, strict=True))
            if isinstance(self.predicate, bool) or evaluate(self.predicate, point):
                yield point


def low(domain: Range) -> int:
    assert isinstance(domain.min, IntImm)
    return domain.min.value


def extent(domain: Range) -> int:
    assert isinstance(domain.extent, IntImm)
    return domain.extent.value


def random_case(seed: int) -> Case:
    """The same case for the same seed."""
    rng = random.Random(seed)
    extents = {Var(name, "int32"): rng.choice((1, 2, 3, 4, 4, 5, 6, 8)) for name in "ijkl"[: rng.randint(1, 4)]}
    domains = {
        var: Range.from_min_extent(as_expr(rng.choice((1, 2, 4)) if rng.random() < 0.05 else 0), as_expr(size))
        for var, size in extents.items()
    }
    predicate: Expr | bool = True
    if rng.random() < 0.6:
        fused, indices = _digits(rng, extents)
        if rng.random() < 0.3:
            predicate = make(*rng.choice(((LT, fused, as_expr(rng.randint(2, 40))), (GE, fused, as_expr(1)))))
    else:
        indices = [_any(rng, list(extents)) for _ in range(rng.randint(1, 3))]
    return Case(indices, domains, predicate, rng.choice(("surjective", "surjective", "bijective", "nocheck")))


def _digits(rng: random.Random, extents: dict[Var, int]) -> tuple[Expr, list[Expr]]:
    """Digits of some iterators as one, and the others."""
    names = rng.sample(list(extents), rng.randint(1, min(3, len(extents))))
    fused, total = _fused(names, extents)
    if rng.random() < 0.15:
        fused = make(Add, fused, as_expr(rng.choice((1, 2, 4))))
    cuts = [cut for cut in range(2, total) if total % cut == 0]
    if rng.random() < 0.25:
        cuts = list(range(2, total))
    chosen = sorted(rng.sample(cuts, min(len(cuts), rng.randint(1, 3))))
    made = [fused if not chosen else make(FloorDiv, fused, as_expr(chosen[-1]))]
    for below, above in itertools.pairwise([1, *chosen]):
        if rng.random() < 0.5:
            made.append(make(FloorMod, make(FloorDiv, fused, as_expr(below)), as_expr(max(above // below, 2))))
        else:
            made.append(make(FloorDiv, make(FloorMod, fused, as_expr(above)), as_expr(below)))
    if rng.random() < 0.2 and len(made) > 1:
        made.pop()
    return fused, made + [var for var in extents if var not in names and rng.random() < 0.8]


def _fused(names: Sequence[Var], extents: dict[Var, int]) -> tuple[Expr, int]:
    fused, total = as_expr(0), 1
    for var in names:
        fused = make(Add, make(Mul, var, as_expr(total)), fused)
        total *= extents[var]
    return fused, total


def _any(rng: random.Random, names: list[Var]) -> Expr:
    """Anything; mostly no iteration map."""
    total: Expr = as_expr(rng.choice((0, 0, 0, 1, 3)))
    for var in rng.sample(names, rng.randint(1, min(3, len(names)))):
        total = make(Add, make(Mul, var, as_expr(rng.choice((1, 1, 2, 3, 4, 8)))), total)
    for _ in range(rng.randint(0, 2)):
        total = make(rng.choice((FloorDiv, FloorMod, Add)), total, as_expr(rng.choice(DIVISORS)))
    return total if rng.random() < 0.9 else make(Mul, total, rng.choice(names))
