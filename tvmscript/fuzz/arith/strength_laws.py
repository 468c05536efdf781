"""Laws of how much index analysis must know: on affine expressions its answers are exact.

The other laws find answers that are wrong. These find answers that are right and weaker than an enumeration.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Final

from tvmscript.fuzz.arith.evaluate import evaluate
from tvmscript.fuzz.arith.index_laws import Draw, Puzzle, Writer
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.arith.int_set import IntervalSet, eval_set
from tvmscript.ir.arith.iter_map.detect import detect_iter_map
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.core import structural_equal
from tvmscript.ir.tir import Expr, IntImm
from tvmscript.ir.tir import expr as e


def _draw_affine(draw: Draw) -> Puzzle:
    """Draw a sum of distinct loops with factors, and a divisor."""
    w = Writer(draw, "int64" if draw(4) == 0 else "int32")
    total: Expr = w.const(draw(13) - 6)
    for var in w.shuffled():
        factor = w.pick(1, 2, 3, 4, 6, -1, -2, -3)
        total = w.pick(e.Add, e.Add, e.Sub)(total, e.Mul(var, w.const(factor)))
    return w.puzzle("exact_affine", [total], numbers=(w.pick(2, 3, 4, 5, 8, -2, -3),))


def _exact_affine(puzzle: Puzzle) -> None:
    """Bounds, residues, sets and proofs of an affine sum are exact; those of its quotient, too."""
    (total,), (divisor,) = puzzle.exprs, puzzle.numbers
    facts = Analyzer()
    for var, domain in puzzle.ranges().items():
        facts.bind(var, domain)
    values = {evaluate(total, point) for point in puzzle.points()}
    low, high = min(values), max(values)

    def require(actual: object, exact: object, what: str, expr: Expr = total) -> None:
        if actual != exact:
            raise puzzle.fail(expr, f"has {what} {actual}, and an enumeration gives {exact}:", {})

    by = IntImm(total.dtype, divisor)
    quotients = {value // divisor for value in values}
    remainders = {value % divisor for value in values}
    require(tuple(facts.const_bounds(total)), (low, high), "bounds")
    quotient, remainder = e.FloorDiv(total, by), e.FloorMod(total, by)
    require(tuple(facts.const_bounds(quotient)), (min(quotients), max(quotients)), "bounds", quotient)
    first, last = facts.const_bounds(remainder)
    limits = (0, divisor - 1) if divisor > 0 else (divisor + 1, 0)
    if first is None or last is None or first < limits[0] or last > limits[1]:
        raise puzzle.fail(remainder, f"has bounds {first} and {last} beyond those of a remainder, {limits}", {})
    factor, base = facts.modular(total)
    step = math.gcd(*(value - low for value in values))
    require((factor, (low - base) % step if step else base), (step, 0 if step else low), "residue")
    for expr, results in ((total, values), (quotient, quotients), (remainder, remainders)):
        simple = facts.simplify(expr)
        # as in TVM, remainders of negative divisors stay
        if len(results) == 1 and divisor > 0 and not isinstance(simple, IntImm):
            raise puzzle.fail(expr, f"is always {min(results)}, and simplifies to {simple}", {})
    for bound in (low - 1, low, high, high + 1):
        limit = IntImm(total.dtype, bound)
        for compare, holds in ((e.LT, high < bound), (e.LE, high <= bound), (e.GT, low > bound), (e.GE, low >= bound)):
            require(facts.can_prove(compare(total, limit)), holds, "a proof", compare(total, limit))
    domains = {
        var: IntervalSet(IntImm(var.dtype, start), IntImm(var.dtype, start + extent - 1))
        for var, (start, extent) in puzzle.loops.items()
    }
    interval = eval_set(total, domains)
    require((interval.min_value, interval.max_value), _integers(total, low, high), "the set")


def _integers(total: Expr, low: int, high: int) -> tuple[Expr, Expr]:
    return IntImm(total.dtype, low), IntImm(total.dtype, high)


def _draw_split(draw: Draw) -> Puzzle:
    """Draw fused loops that start at 0, and a factor of their number of iterations."""
    w = Writer(draw, "int64" if draw(4) == 0 else "int32")
    w.loops = {var: (0, extent) for var, (_, extent) in w.loops.items()}
    fused, size = w.fused(w.shuffled())
    return w.puzzle("split_again", [fused], numbers=(w.pick(*(n for n in range(1, size + 1) if size % n == 0)),))


def _split_again(puzzle: Puzzle) -> None:
    """A fused index that is split by a factor of its size is bijective, can be inverted, and is put together again."""
    (fused,), (factor,) = puzzle.exprs, puzzle.numbers
    by = IntImm(fused.dtype, factor)
    parts = [e.FloorDiv(fused, by), e.FloorMod(fused, by)]
    facts = Analyzer()
    ranges = puzzle.ranges()
    for var, domain in ranges.items():
        facts.bind(var, domain)
    together = facts.simplify(e.Add(e.Mul(parts[0], by), parts[1]))
    if not structural_equal(together, facts.simplify(fused)):
        raise puzzle.fail(fused, f"split by {factor} and put together is {together}", {})
    if not detect_iter_map(parts, ranges, True, IterMapLevel.Bijective, False).indices:
        raise puzzle.fail(fused, f"split by {factor} is bijective, which is not detected", {})
    inverse = IndexMap(tuple(ranges), tuple(parts)).inverse(list(ranges.values()))
    for point in puzzle.points():
        indices = [evaluate(index, point) for index in parts]
        places = dict(zip(inverse.initial_indices, indices, strict=True))
        before = [evaluate(index, places) for index in inverse.final_indices]
        if before != [point[var] for var in ranges]:
            raise puzzle.fail(fused, f"split by {factor} is inverted to {before}", point)


def _draw_remainder(draw: Draw) -> Puzzle:
    """Draw a sum of loops and quotients, a condition on it, and divisors of both signs near its range."""
    w = Writer(draw, "int64" if draw(4) == 0 else "int32")
    total = w.affine()
    if draw(2):
        total = e.Add(total, e.Mul(e.FloorDiv(w.affine(), w.const(w.pick(2, 3, 4))), w.const(w.pick(1, 2, -1, 5))))
    values = [evaluate(total, point) for point in w.puzzle("remainder", [total]).points()]
    edge = w.pick(max(values), min(values), 2, 3, 8)
    divisor = w.pick(edge - 1, edge, edge + 1, -edge - 1, -edge, 1 - edge)
    condition = e.LE(total, w.const(w.pick(*values)))
    return w.puzzle("remainder", [total, condition], numbers=(divisor or 1,))


def _remainder(puzzle: Puzzle) -> None:
    """Bounds of quotients are exact where those of the dividend are; remainders lie between 0 and their divisor."""
    (total, condition), (divisor,) = puzzle.exprs, puzzle.numbers
    facts = Analyzer()
    for var, domain in puzzle.ranges().items():
        facts.bind(var, domain)
    by = IntImm(total.dtype, divisor)
    quotient, remainder = e.FloorDiv(total, by), e.FloorMod(total, by)
    # each is 0 at one end, and up to one less than the divisor
    limits = (0, divisor - 1) if divisor > 0 else (divisor + 1, 0)
    for is_told in (False, True):
        with facts.constraint(condition) if is_told else nullcontext():
            low, high = facts.const_bounds(total)
            bounds = facts.const_bounds(remainder)
            proofs = [facts.can_prove(claim) for claim in _beyond(remainder, limits)]
            ends = tuple(facts.const_bounds(quotient))
        if bounds.low is None or bounds.high is None or bounds.low < limits[0] or bounds.high > limits[1]:
            raise puzzle.fail(remainder, f"has bounds {bounds} beyond those of a remainder, {limits}", {})
        if not all(proofs):
            raise puzzle.fail(remainder, f"is not proved to be in {limits}", {})
        if not is_told and low is not None and high is not None:  # told bounds of a sum are not those of its parts
            widest = sorted((low // divisor, high // divisor))
            if ends[0] is None or ends[1] is None or ends[0] < widest[0] or ends[1] > widest[1]:
                raise puzzle.fail(quotient, f"has bounds {ends}, and those of the dividend give {widest}", {})


def _beyond(expr: Expr, limits: tuple[int, int]) -> tuple[Expr, Expr]:
    return e.GE(expr, IntImm(expr.dtype, limits[0])), e.LE(expr, IntImm(expr.dtype, limits[1]))


def _draw_choices(draw: Draw) -> Puzzle:
    """Draw the two operands of a minimum and a maximum."""
    w = Writer(draw, "int64" if draw(4) == 0 else "int32")
    return w.puzzle("choices", [w.affine(), w.affine()])


def _choices(puzzle: Puzzle) -> None:
    """A minimum or maximum is compared with one of its operands as the other operand is."""
    a, b = puzzle.exprs
    facts = Analyzer()
    for choice, undecided, decided in ((e.Max, (e.LE, e.GT), e.GE), (e.Min, (e.GE, e.LT), e.LE)):
        for compare in undecided:
            for claim, same in (
                (compare(choice(a, b), a), compare(b, a)),
                (compare(choice(a, b), b), compare(a, b)),
                (_REVERSED[compare](a, choice(a, b)), compare(b, a)),
                (_REVERSED[compare](b, choice(b, a)), compare(a, b)),
            ):
                simple, expected = facts.simplify(claim), facts.simplify(same)
                if not structural_equal(simple, expected):
                    raise puzzle.fail(claim, f"is simplified to {simple}, and what it says to {expected}:", {})
        if not facts.can_prove(decided(choice(a, b), a)):
            raise puzzle.fail(decided(choice(a, b), a), "is not proved:", {})


#: a comparison -> that of the operands the other way round
_REVERSED: Final[dict[type[e.CompareOp], type[e.CompareOp]]] = {e.LE: e.GE, e.GE: e.LE, e.LT: e.GT, e.GT: e.LT}


#: law -> (draw a puzzle, check it)
LAWS: Final[dict[str, tuple[Callable[[Draw], Puzzle], Callable[[Puzzle], None]]]] = {
    "exact_affine": (_draw_affine, _exact_affine),
    "split_again": (_draw_split, _split_again),
    "remainder": (_draw_remainder, _remainder),
    "choices": (_draw_choices, _choices),
}
