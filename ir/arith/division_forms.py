"""Divisions as TVM leaves them.

Sums divide by the smallest divisor, so that `(8 * x) // 20` and `(2 * x) // 5` are one atom. TVM cancels a common
factor where one term has it, and what is besides that term is smaller; other divisions are remembered here as they
were before, and are written so.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from tvmscript.ir.arith import bounds as interval
from tvmscript.ir.arith.bounds import Bounds
from tvmscript.ir.arith.linear_form import Atom, Division, Linear
from tvmscript.ir.arith.sum_atoms import Atoms, Mark
from tvmscript.ir.arith.sum_to_expr import Groups
from tvmscript.ir.arith.value_numbering import structural_key
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Add, BinaryOp, FloorDiv, IntImm, Sub


class Shown(Atoms):
    """Remembers how quotients and their remainders are written, where that is not what they are calculated with."""

    def __init__(self) -> None:
        super().__init__()
        self._has_shown = False
        self._has_scaled = False
        #: minimum (maximum) -> the same times a factor, as it is written
        self._scaled_choices: dict[Atom, tuple[int, Atom]] = {}
        #: quotient or remainder by a sum -> what came out of it, and the atom that is written for both
        self._by_sums: dict[Atom, tuple[Linear, Atom]] = {}

    def forget_since(self, mark: Mark) -> None:
        super().forget_since(mark)
        self._has_shown = self._has_scaled = False
        self._scaled_choices.clear()
        self._by_sums.clear()

    @abstractmethod
    def atom_bounds(self, atom: Atom) -> Bounds:
        """What is known about one atom."""

    def remember_quotient(self, made: Linear, value: Linear, divisor: int) -> None:
        """The quotient value // divisor became `made`."""
        atom = made.single
        if atom is None or atom.divisor < 2 or atom.is_remainder or atom.shown is not None or atom.expr is not None:
            return
        if not _is_cancelled(value, divisor):
            atom.shown = value, divisor
            self._has_shown = True

    def remember_remainder(self, made: Linear, value: Linear, divisor: int) -> None:
        """The quotient of which the remainder value % divisor is left became `made`."""
        atom = made.single
        if atom is None or atom.divisor < 2 or atom.is_remainder or atom.remainder is not None:
            return
        if divisor > atom.divisor and not self._is_digit(value, divisor):
            atom.remainder = value, divisor
            self._has_shown = True

    def _is_digit(self, value: Linear, divisor: int) -> bool:
        """Whether value % divisor is x % c * d + y for single terms x and y, as TVM writes it."""
        if len(value.terms) == 1:
            ((atom, factor),) = value.terms.items()
            return factor % divisor > 0 and _is_cancelled(Linear({atom: factor % divisor}, value.const), divisor)
        groups, const = self.regroup(value)
        if len(groups) != 2 or const:
            return False
        for (large, _), (small, atom) in (groups, groups[::-1]):
            low, high = interval.scale(self.atom_bounds(atom), small)
            if large > 1 and divisor % large == 0 and low is not None and high is not None and 0 <= low <= high < large:
                return True
        return False

    def factor(self, value: Linear) -> tuple[int, Atom]:
        """A sum as a constant times one atom; it is written with the constant inside."""
        times, atom = super().factor(value)
        if times > 1 and atom.divisor == 1 and atom.shown is None:
            atom.shown = value, times
            self._has_scaled = True
        return times, atom

    def remember_choice(self, made: Linear, factor: int, operands: Sequence[Linear], cls: type[BinaryOp]) -> None:
        """The minimum (maximum) of these became `made` times a factor."""
        atom = made.single
        if atom is None or atom in self._scaled_choices:
            return
        scaled = self._written_choice(cls, operands, atom.dtype)
        self._scaled_choices[atom] = factor, scaled

    def remember_division(self, made: Linear, came_out: Linear, expr: Expr) -> None:
        """`expr`, a quotient or remainder by a sum, became `made` plus what came out of it."""
        atom = made.single
        if atom is not None and atom not in self._by_sums:
            self._by_sums[atom] = came_out, self.atom(("written", structural_key(expr)), expr)

    def shown(self, groups: Sequence[tuple[int, Atom]], const: int) -> Groups:
        """The sum with the remainders, minima and maxima that TVM leaves whole."""
        if self._scaled_choices or self._has_scaled:
            groups = [self._with_factor_inside(group) for group in groups]
        if self._by_sums:
            groups, const = self._with_whole_divisions(groups, const)
        if self._has_shown:
            for factor, atom in groups:
                known = self._remainder_of(atom)
                found = None if known is None else self._whole(groups, const, (factor, atom), known)
                if found is not None:
                    return self.shown(*found)
        return tuple(groups), const

    def _with_whole_divisions(self, groups: Sequence[tuple[int, Atom]], const: int) -> Groups:
        """The sum where nothing came out of divisions by sums, as far as it is there."""
        for index, (factor, atom) in enumerate(groups):
            known = self._by_sums.get(atom)
            if known is None:
                continue
            came_out, whole = known
            rest = self._without(groups, [(one, times * factor) for one, times in came_out.terms.items()])
            if rest is not None:
                place = index - sum(1 for group in groups[:index] if group not in rest)
                rest[place] = factor, whole
                groups, const = rest, const - came_out.const * factor
                return self._with_whole_divisions(groups, const)
        return tuple(groups), const

    def _without(
        self, groups: Sequence[tuple[int, Atom]], taken: list[tuple[Atom, int]]
    ) -> list[tuple[int, Atom]] | None:
        """The groups without some, None where not all of them are there."""
        rest = list(groups)
        for atom, factor in taken:
            if (factor, atom) not in rest:
                return None
            rest.remove((factor, atom))
        return rest

    def _with_factor_inside(self, group: tuple[int, Atom]) -> tuple[int, Atom]:
        factor, atom = group
        by, scaled = self._scaled_choices.get(atom, (0, atom))
        if by and factor % by == 0:
            return factor // by, scaled
        parts = list(atom.factors or (atom,))
        for index, part in enumerate(parts):
            if part.divisor != 1 or part.shown is None or factor % part.shown[1]:
                continue
            value, by = part.shown
            parts[index] = self.atom(("written", value.key), self.write(value, atom.dtype))
            factor //= by
        return factor, self.product(parts) if len(parts) > 1 else parts[0]

    def _remainder_of(self, atom: Atom) -> Division | None:
        """What a remainder is a part of."""
        if not atom.is_remainder or atom.inner is None:
            return None
        quotient = self._atoms.get((atom.inner.key, atom.divisor, False))
        return None if quotient is None else quotient.remainder or quotient.shown

    def write(self, value: Linear, dtype: DType) -> Expr:
        if len(value.quotients) == 2 == len(value.terms):
            found = self._difference(value, dtype)
            if found is not None:
                return self.write_groups(*found, dtype)
        return super().write(value, dtype)

    def _difference(self, value: Linear, dtype: DType) -> Groups | None:
        """(x + a) // d - (x + b) // d as ((x + b) % d + a - b) // d, which TVM takes for the simpler one."""
        (first, factor), (second, opposite) = sorted(value.terms.items(), key=lambda term: -term[1])
        a, b, divisor = first.inner, second.inner, first.divisor
        if factor != -opposite or divisor != second.divisor or a is None or b is None or not a.const:
            return None
        distance = a.plus(b, -1)
        if distance.terms or not distance.const or any(map(self.is_data, a.terms)):
            return None
        key = "difference", first, second
        rest = self._write_remainder(b, divisor, dtype)
        if divisor == 2 and distance.const == 1:  # (x % 2 + 1) // 2
            return ((factor, self.atom(key, rest)),), value.const
        cls, by = (Add, distance.const) if distance.const > 0 else (Sub, -distance.const)
        made = FloorDiv(cls(rest, IntImm(dtype, by)), IntImm(dtype, divisor))
        return ((factor, self.atom(key, made)),), value.const

    def _whole(
        self, groups: Sequence[tuple[int, Atom]], const: int, part: tuple[int, Atom], known: Division
    ) -> Groups | None:
        """The sum with a whole remainder in the place of a part of it, and of what is added to that part."""
        (factor, atom), (value, divisor) = part, known
        times, left = divmod(factor, divisor // atom.divisor)
        if left or atom.inner is None:
            return None
        others, more = self.regroup(value.plus(atom.inner, -(divisor // atom.divisor)))
        rest = self._without(groups, [(atom, factor), *[(one, other * times) for other, one in others]])
        if rest is None or (more and const != more * times):
            return None
        place = groups.index(part)
        rest.insert(place, (times, self._division(value, divisor, True)))
        return tuple(rest), const - more * times


def _is_cancelled(value: Linear, divisor: int) -> bool:
    """Whether TVM divides both by the coefficient: of one term, or of all where there is no constant."""
    factors = {*value.terms.values()}
    if len(factors) != 1 or divisor % min(factors):
        return False
    return value.const == 0 or (len(value.terms) == 1 and 0 <= value.const < min(factors))
