"""Recover `floormod` terms from sums of `floordiv` terms when printing a canonical sum.

`a * x + b * (x // 4) + c * (x // 16)` is a chain: each link is the quotient of the one before. A link can be
written as it is, or as a remainder, which moves its coefficient to the next link: `x = x % 4 + 4 * (x // 4)`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tvmscript.ir.arith.fold import truncdiv
from tvmscript.ir.arith.sums.linear_form import Atom, Linear

Divide = Callable[[Linear, int], Linear]
#: coefficient, dividend, divisor
Remainder = tuple[int, Linear, int]

_NUMBER = 2
_DIVISION = 3
_SUBTRACTION = 2
#: Longer chains are not searched.
_LONGEST = 6


def split_digits(value: Linear, quotients: list[Atom], divide: Divide) -> tuple[list[Remainder], Linear]:
    """Return remainders taken out of a sum with quotients, and the rest: the shorter of two solutions."""
    if len(quotients) > 1:
        quotients = sorted(quotients, key=lambda atom: _nesting_key(atom, value), reverse=True)
    exact = _exact_remainders(value, quotients, divide)
    if exact is not None:
        return exact
    whole = _whole_remainders(value, quotients, divide)
    remainders, rest, strides = _chained_remainders(value, quotients, divide)
    chains = remainders, rest
    return chains if _total_cost(chains) - strides * _NUMBER <= _total_cost(whole) else whole


def _exact_remainders(value: Linear, quotients: list[Atom], divide: Divide) -> tuple[list[Remainder], Linear] | None:
    """Return the remainders if every quotient is a part of one and of nothing else: the shortest solution."""
    remainders: list[Remainder] = []
    terms, const = value.terms.copy(), value.const
    for last in quotients:
        factor = terms.pop(last, 0)
        if not factor:
            continue
        remainder = _exact_link(last, -factor, terms, quotients, divide)
        if remainder is None:
            return None
        remainders.append(remainder)
        taken, link, _ = remainder
        for atom in link.terms:
            del terms[atom]
        const -= taken * link.const
    return remainders, Linear(terms, const)


def _exact_link(
    last: Atom, factor: int, terms: dict[Atom, int], quotients: list[Atom], divide: Divide
) -> Remainder | None:
    """Return the remainder that -factor * last completes, with its dividend or a quotient by a smaller divisor."""
    inner = last.inner
    if inner is None:
        return None
    taken, left = divmod(factor, last.divisor)
    if not left and all(terms.get(atom) == times * taken for atom, times in inner.terms.items()):
        return taken, inner, last.divisor
    for other in quotients:
        times = terms.get(other, 0)
        if not times or factor % times or other.inner is None:
            continue
        ratio = factor // times
        if ratio < 2:
            continue
        if other.inner.key == inner.key:
            if other.divisor * ratio == last.divisor:
                return times, other.whole, ratio
        elif divide(other.inner, other.divisor * ratio).single is last:
            return times, other.whole, ratio
        elif (shift := _shift_of_link(other, inner, last.divisor, ratio)) is not None:
            return times, other.whole.shifted(shift), ratio
    return None


def _shift_of_link(link: Atom, inner: Linear, divisor: int, ratio: int) -> int | None:
    """Return k such that (link + k) // ratio is inner // divisor, None if there is none."""
    scale, left = divmod(link.divisor * ratio, divisor)
    if left or link.inner is None:
        return None
    distance = inner.times(scale).plus(link.inner, -1)
    shift = -(-distance.const // link.divisor)
    return shift if not distance.terms and shift * link.divisor - distance.const < scale else None


def _total_cost(split: tuple[list[Remainder], Linear]) -> int:
    remainders, rest = split
    return sum([_cost(taken, _DIVISION) for taken, _, _ in remainders]) + sum(
        [_cost(factor, _DIVISION if atom.divisor > 1 else _NUMBER) for atom, factor in rest.terms.items()]
    )


def _whole_remainders(value: Linear, quotients: list[Atom], divide: Divide) -> tuple[list[Remainder], Linear]:
    """Combine each quotient with the largest part of the sum that is its dividend."""
    remainders: list[Remainder] = []
    for last in quotients:
        factor, inner = value.terms.get(last, 0), last.inner
        if not factor or inner is None:
            continue
        candidates = {1, *[atom.divisor for atom in value.terms if 1 < atom.divisor < last.divisor]}
        for candidate in sorted(candidates):
            ratio = last.divisor // candidate
            if last.divisor % candidate or factor % ratio:
                continue
            taken, link = -factor // ratio, inner if candidate == 1 else divide(inner, candidate)
            contained = _multiplicity(link, value)
            if contained * taken > 0 and abs(contained) >= abs(taken):
                remainders.append((taken, link, ratio))
                value = value.plus(link, -taken).plus(divide(link, ratio), taken * ratio)
                break
    return remainders, value


def _chained_remainders(value: Linear, quotients: list[Atom], divide: Divide) -> tuple[list[Remainder], Linear, int]:
    """Find the best plan for each chain of quotients; also count the strides among the remainders."""
    remainders: list[Remainder] = []
    strides = 0
    done: set[Atom] = set()
    for last in quotients:
        if last in done:
            continue
        chain, ratios, atoms = _chain(last, value, divide)
        done.update(atoms)
        if len(chain) < 2:
            continue
        for taken, link, ratio, below in zip(_best_plan(chain, ratios, value), chain, ratios, chain[1:], strict=False):
            if taken:
                strides += _is_stride(taken, _multiplicity(link, value), _multiplicity(below, value), ratio)
                remainders.append((taken, link, ratio))
                value = value.plus(link, -taken).plus(below, taken * ratio)
    return remainders, value, strides


def _is_stride(taken: int, factor: int, following: int, ratio: int) -> bool:
    """Whether a remainder belongs to `x // c * s + x % c` with s a multiple of c, as in layouts."""
    return taken == factor and following * factor > 0 and following % (factor * ratio) == 0


def _nesting_key(atom: Atom, value: Linear) -> tuple[int, int, int, int]:
    """Sort key: nesting depth, then divisor, then coefficient, then age."""
    return atom.depth, atom.divisor, abs(value.terms[atom]), -atom.number


def _chain(last: Atom, value: Linear, divide: Divide) -> tuple[list[Linear], list[int], list[Atom]]:
    """Return the links of the chain that ends at a quotient, the ratios between them, and their quotients."""
    if last.inner is None:
        return [], [], []
    inner, divisor = last.inner, last.divisor
    links, ratios, atoms = [last.whole], [], [last]
    smaller = {atom.divisor for atom in value.terms if 1 < atom.divisor < divisor}
    for candidate in sorted({1, *smaller}, reverse=True):
        if divisor % candidate:
            continue
        link = inner if candidate == 1 else divide(inner, candidate)
        if link.terms and all(atom in value.terms for atom in link.terms):
            links.append(link)
            ratios.append(divisor // candidate)
            atoms += [atom for atom in link.terms if atom.divisor > 1]
            divisor = candidate
    links.reverse()
    ratios.reverse()
    return links, ratios, atoms


def _multiplicity(link: Linear, value: Linear) -> int:
    """Return how often a sum contains a link: the coefficient, or the smallest one of several atoms."""
    quotients = [truncdiv(value.terms.get(atom, 0), times) for atom, times in link.terms.items()]
    if not quotients:
        return 0
    if all(quotient > 0 for quotient in quotients):
        return min(quotients)
    return max(quotients) if all(quotient < 0 for quotient in quotients) else 0


def _best_plan(chain: list[Linear], ratios: list[int], value: Linear) -> list[int]:
    """Return how much of each link to take as a remainder."""
    factors = [_multiplicity(link, value) for link in chain]
    plain = len(chain[0].terms) == 1
    # all plans are tried only for short chains
    is_short = len(ratios) <= _LONGEST

    def plans(position: int, factor: int) -> Iterator[tuple[int, list[int]]]:
        """Yield costs and plans for the chain from a link on, with the coefficient that the link has now."""
        if position == len(ratios):
            yield _cost(factor, _DIVISION), []
            return
        ratio, following = ratios[position], factors[position + 1]
        exact = {-following // ratio} if following % ratio == 0 else {0}
        options = {0, factor, *exact} if is_short else exact
        for taken in options:
            left = factor - taken
            if position == 0 and not plain and taken and (left * factor < 0 or abs(left) > abs(factor)):
                continue
            here = -_NUMBER if _is_stride(taken, factor, following, ratio) else 0
            here += _cost(left, _NUMBER if position == 0 else _DIVISION) + _cost(taken, _DIVISION)
            for cost, rest in plans(position + 1, following + taken * ratio):
                yield here + cost, [taken, *rest]

    return min(plans(0, factors[0]), key=_plan_key)[1]


def _plan_key(plan: tuple[int, list[int]]) -> tuple[int, int]:
    return plan[0], -sum(map(bool, plan[1]))


def _cost(factor: int, unit: int) -> int:
    return 0 if factor == 0 else unit if factor > 0 else unit + _SUBTRACTION
