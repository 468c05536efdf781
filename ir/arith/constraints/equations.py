"""Solve systems of linear equations over the integers, by the diagonal form of their matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.constraints.system import IntConstraints, IntConstraintsTransform, depends_on, last_of
from tvmscript.ir.arith.fold import add, is_const, make, mul, sub, truncdiv, truncmod
from tvmscript.ir.arith.int_set import Domain, eval_set
from tvmscript.ir.arith.linear_equation import detect_linear_equation
from tvmscript.ir.tir import EQ, LE, Expr, FloorDiv, FloorMod, IntImm, Range, Var, match_types, substitute

Matrix = list[list[int]]


def solve_linear_equations(
    equations: IntConstraints | Sequence[Expr],
    variables: Sequence[Var] | None = None,
    ranges: Mapping[Var, Range] | None = None,
) -> IntConstraintsTransform:
    """Solve equations for variables: the solutions as functions of as few free variables as possible.

    The relations of the result say when there are solutions, and keep the old variables in their ranges. Relations
    that are no linear equations with constant coefficients are kept. The result is unsolvable, with the relation
    `False`, if there are provably none.

    rewrite: x + y == 20, [x, y]  -->  x = n0 + 20, y = 0 - n0
    """
    system = equations if isinstance(equations, IntConstraints) else IntConstraints(variables, ranges, equations)
    return _Equations(system).solve()


class _Diagonal:
    """A matrix that is made diagonal by invertible changes of rows and of columns.

    `row_changes * original * column_changes` is `matrix`, and `inverse` is the inverse of `column_changes`.
    """

    def __init__(self, matrix: Matrix, column_count: int) -> None:
        self.matrix = matrix
        self.row_changes = _identity(len(matrix))
        self.column_changes = _identity(column_count)
        self.inverse = _identity(column_count)
        position, end = 0, min(len(matrix), column_count)
        while position < end:
            # emptying the row may put entries into the column again
            if not self._place_pivot(position) or not self._clear(position):
                position += 1

    def pivot(self, position: int) -> int:
        """Return an entry of the diagonal; 0 behind its end."""
        return self.matrix[position][position] if position < min(len(self.matrix), len(self.inverse)) else 0

    def _place_pivot(self, index: int) -> bool:
        """Move the least entry of a column to the diagonal, or another column that has one. False if all are zero."""
        column = [(abs(row[index]), at) for at, row in enumerate(self.matrix) if at >= index and row[index]]
        if column:
            least = min(column)[1] if min(column)[0] != abs(self.matrix[index][index]) else index
            self.matrix[index], self.matrix[least] = self.matrix[least], self.matrix[index]
            self.row_changes[index], self.row_changes[least] = self.row_changes[least], self.row_changes[index]
            return True
        other = next((at for at, entry in enumerate(self.matrix[index]) if at > index and entry), None)
        if other is None:
            return False
        for row in (*self.matrix, *self.column_changes):
            row[index], row[other] = row[other], row[index]
        self.inverse[index], self.inverse[other] = self.inverse[other], self.inverse[index]
        return True

    def _clear(self, index: int) -> bool:
        """Empty the column below the diagonal and the row behind it; return whether the column may have entries."""
        for at in range(index + 1, len(self.matrix)):
            entry = self.matrix[at][index]
            if entry:
                pivot = self.matrix[index][index]
                gcd, a, b = _bezout(pivot, entry)
                _mix_rows(self.matrix, index, at, a, b, truncdiv(entry, gcd), -truncdiv(pivot, gcd))
                _mix_rows(self.row_changes, index, at, a, b, truncdiv(entry, gcd), -truncdiv(pivot, gcd))
        is_disturbed = False
        for at in range(index + 1, len(self.inverse)):
            entry = self.matrix[index][at]
            if entry:
                pivot = self.matrix[index][index]
                is_disturbed |= truncmod(entry, pivot) != 0
                gcd, a, b = _bezout(pivot, entry)
                pivot, entry = truncdiv(pivot, gcd), truncdiv(entry, gcd)
                for row in (*self.matrix, *self.column_changes):
                    row[index], row[at] = a * row[index] + b * row[at], entry * row[index] - pivot * row[at]
                _mix_rows(self.inverse, index, at, pivot, entry, b, -a)
        return is_disturbed


def _identity(size: int) -> Matrix:
    return [[int(row == column) for column in range(size)] for row in range(size)]


def _mix_rows(matrix: Matrix, first: int, second: int, a: int, b: int, c: int, d: int) -> None:
    """Replace two rows by combinations of them: a and b are the factors of the first one, c and d of the second."""
    pairs = list(zip(matrix[first], matrix[second], strict=True))
    matrix[first] = [a * x + b * y for x, y in pairs]
    matrix[second] = [c * x + d * y for x, y in pairs]


def _bezout(pivot: int, entry: int) -> tuple[int, int, int]:
    """Return a common divisor of greatest size, and its factors; the pivot itself if it is one."""
    if truncmod(entry, pivot) == 0:
        return pivot, 1, 0
    a, next_a, b, next_b = 1, 0, 0, 1
    while entry:
        quotient = truncdiv(pivot, entry)
        pivot, entry = entry, pivot - quotient * entry
        a, next_a = next_a, a - quotient * next_a
        b, next_b = next_b, b - quotient * next_b
    return pivot, a, b


class _Equations:
    """A system, split into a matrix with right-hand sides and the remaining relations."""

    def __init__(self, system: IntConstraints) -> None:
        self.system = system
        self.analyzer = system.bound_analyzer()
        self.sides: list[Expr] = []
        self.others: list[Expr] = []
        rows: Matrix = []
        for relation in system.relations:
            row = self._read(relation)
            if row is None:
                self.others.append(relation)
            else:
                rows.append(row)
        self.diagonal = _Diagonal(rows, len(system.variables))

    def _read(self, relation: Expr) -> list[int] | None:
        """Add the right-hand side of an equation; return its coefficients. None if it is not a linear one."""
        if not isinstance(relation, EQ) or not relation.a.dtype.is_integer:
            return None
        difference = self.analyzer.simplify(sub(relation.a, relation.b))
        *coefficients, rest = detect_linear_equation(difference, self.system.variables) or (difference,)
        numbers = [factor.value for factor in coefficients if isinstance(factor, IntImm)]
        if len(numbers) < len(self.system.variables):
            return None
        self.sides.append(sub(IntImm(rest.dtype, 0), rest))
        return numbers

    def solve(self) -> IntConstraintsTransform:
        """Return the solutions."""
        sides = [_combination(factors, self.sides, self.analyzer) for factors in self.diagonal.row_changes]
        relations: list[Expr] = []
        for position, side in enumerate(sides):
            condition = self._solvable(side, self.diagonal.pivot(position))
            if is_const(condition, 0):
                return IntConstraintsTransform(self.system, IntConstraints.unsolvable(), {}, {})
            if not is_const(condition, 1):
                relations.append(condition)
        old = self.system.variables
        new_to_old: dict[Var, Expr] = {}
        values: list[Expr] = []
        for position, factors in enumerate(self.diagonal.inverse):
            pivot = self.diagonal.pivot(position)
            if pivot:
                values.append(self._quotient(sides[position], pivot))
                continue
            value = _combination(factors, old, self.analyzer)
            suffix = f"_{value.name}" if isinstance(value, Var) else ""
            free = Var(f"n{len(new_to_old)}{suffix}", old[position].dtype)
            new_to_old[free] = value
            values.append(free)
        old_to_new = {
            var: _combination(factors, values, self.analyzer).astype(var.dtype)
            for var, factors in zip(old, self.diagonal.column_changes, strict=True)
        }
        ranges = self._infer_ranges(new_to_old)
        relations += self._in_ranges(old_to_new, ranges)
        relations += [substitute(relation, old_to_new) for relation in self.others]
        dst = IntConstraints(tuple(new_to_old), ranges, relations)
        return IntConstraintsTransform(self.system, dst, old_to_new, new_to_old)

    def _solvable(self, side: Expr, pivot: int) -> Expr:
        """Return the condition under which `pivot * x == side` has an integer solution."""
        zero = IntImm(side.dtype, 0)
        rest = make(FloorMod, side, IntImm(side.dtype, abs(pivot))) if pivot else side
        return self.analyzer.simplify(make(EQ, rest, zero))

    def _quotient(self, side: Expr, pivot: int) -> Expr:
        if pivot < 0:
            side = sub(IntImm(side.dtype, 0), side)
        return self.analyzer.simplify(make(FloorDiv, side, IntImm(side.dtype, abs(pivot))))

    def _infer_ranges(self, new_to_old: Mapping[Var, Expr]) -> dict[Var, Range]:
        """Return the ranges of other variables, and of new ones as far as those of the old ones give them."""
        old = self.system.variables
        domains: dict[Var, Domain] = dict(self.system.ranges)
        ranges = {var: domain for var, domain in self.system.ranges.items() if var not in old}
        for var, value in new_to_old.items():
            domain = eval_set(value, domains).cover_range()
            if domain is not None and not depends_on(domain, old):
                ranges[var] = domain
        return ranges

    def _in_ranges(self, old_to_new: Mapping[Var, Expr], ranges: Mapping[Var, Range]) -> list[Expr]:
        """Return the conditions that keep the old variables in their ranges and do not follow from the new ranges."""
        analyzer = IntConstraints((), ranges, ()).bound_analyzer()
        conditions: list[Expr] = []
        for var in self.system.variables:
            domain = self.system.ranges.get(var)
            if domain is None:
                continue
            for low, high in ((domain.min, var), (var, last_of(domain))):
                condition = substitute(make(LE, *match_types(low, high)), old_to_new)
                condition = analyzer.simplify(condition)
                if not is_const(condition, 1):
                    conditions.append(condition)
        return conditions


def _combination(factors: Sequence[int], terms: Sequence[Expr], analyzer: Analyzer) -> Expr:
    """Return the sum of products, simplified."""
    total: Expr | None = None
    for factor, term in zip(factors, terms, strict=True):
        if factor:
            product = mul(term, IntImm(term.dtype, factor))
            total = product if total is None else add(*match_types(total, product))
    return IntImm(terms[0].dtype, 0) if total is None else analyzer.simplify(total)
