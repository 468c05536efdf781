"""Relations between the axes of a stage. Each class says how ranges, values and marks pass along it.

Domains are maps from axes to ranges, values from axes to expressions, marks from axes to bits; an axis that is absent
is not concerned. `down` is from an operation's axes to loops, `up` the other way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import TypeAlias

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.fold import is_const
from tvmscript.ir.arith.index_map import IndexMap
from tvmscript.ir.arith.int_set import IntervalSet, IntSet, eval_set
from tvmscript.ir.te.errors import InvalidSchedule
from tvmscript.ir.tir import Expr, IterVar, Range, cast, substitute

Domains: TypeAlias = MutableMapping[IterVar, Range]
Values: TypeAlias = MutableMapping[IterVar, Expr]
Sets: TypeAlias = MutableMapping[IterVar, IntervalSet]
Marks: TypeAlias = MutableMapping[IterVar, int]
Checks: TypeAlias = MutableMapping[IterVar, bool]


def from_zero(extent: Expr | int) -> Range:
    """Return the range of so many integers from 0."""
    return Range(0, extent)


def ceil_div(analyzer: Analyzer, a: Expr, b: Expr) -> Expr:
    """Return a / b rounded up, simplified."""
    if analyzer.can_prove((a % b).equal(0)):
        return analyzer.simplify(a // b)
    return analyzer.simplify((a + (b - 1)) // b)


def update(domains: Domains, axis: IterVar, domain: Range, analyzer: Analyzer) -> None:
    """Set the range of an axis. Raises `InvalidSchedule` where it is known already and another one."""
    old_domain = domains.get(axis)
    if old_domain is None:
        domains[axis] = domain
        analyzer.bind(axis.var, domain, allow_override=True)
    elif not is_const(old_domain.min, 0) or not analyzer.can_prove((domain.extent - old_domain.extent).equal(0)):
        extents = f"{old_domain.extent} and {domain.extent}"
        reason = f"the extents of {axis.var.name} are {extents}, which are not proven to be equal"
        raise InvalidSchedule(where=axis.var.name, reason=reason)


def shifted(value: Expr, start: Expr) -> Expr:
    """Return a value that counts from `start` on."""
    return value if is_const(start, 0) else value + start


def unshifted(value: Expr, start: Expr) -> Expr:
    """Return a value as it counts from 0 on."""
    return value if is_const(start, 0) else value - start


class Relation:
    """Base of relations."""

    #: axes that it replaces, and those that replace them
    parents: tuple[IterVar, ...]
    children: tuple[IterVar, ...]

    def domains_down(self, domains: Domains, analyzer: Analyzer, limit: Callable[[IterVar], bool]) -> None:
        """Compute the ranges of the children; `limit` tells which may be no longer than what they iterate over."""
        raise NotImplementedError

    def values_up(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        """Compute the values of the parents."""
        raise NotImplementedError

    def values_down(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        """Compute the values of the children."""
        raise NotImplementedError

    def sets_up(self, domains: Mapping[IterVar, Range], sets: Sets) -> None:
        """Compute sets of values of the parents."""
        raise NotImplementedError

    def checks_up(
        self,
        domains: Mapping[IterVar, Range],
        checks: MutableMapping[IterVar, bool],
        can_prove: Callable[[Expr], bool],
    ) -> None:
        """Tell which parents may leave their ranges."""
        is_checked = any(checks[child] for child in self.children)
        checks.update(dict.fromkeys(self.parents, is_checked))

    def marks_up(self, marks: Marks) -> None:
        """Give the parents the marks of the children."""
        _spread(self.children, self.parents, marks)

    def marks_down(self, marks: Marks) -> None:
        """Give the children the marks of the parents."""
        _spread(self.parents, self.children, marks)

    def known(self, axes: tuple[IterVar, ...], among: Mapping[IterVar, object]) -> bool:
        """Return whether all axes are among those of a map."""
        return all(axis in among for axis in axes)

    def covers(self, domains: Mapping[IterVar, Range], sets: Sets) -> bool:
        """Return whether the sets of the children are all of their ranges."""
        return self.known((*self.parents, *self.children), domains) and all(
            sets[child].match_range(domains[child]) for child in self.children
        )


def _spread(sources: tuple[IterVar, ...], targets: tuple[IterVar, ...], marks: Marks) -> None:
    present = [marks[axis] for axis in sources if axis in marks]
    if present:
        bits = 0
        for each in present:
            bits |= each
        for axis in targets:
            marks[axis] = marks.get(axis, 0) | bits


@dataclass(frozen=True, eq=False)
class Split(Relation):
    """`parent` is `outer * extent of inner + inner`; either the factor or the number of parts is given."""

    parent: IterVar
    outer: IterVar
    inner: IterVar
    factor: Expr | None
    nparts: Expr | None
    disable_predication: bool

    @property
    def parents(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return (self.parent,)

    @property
    def children(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return (self.outer, self.inner)

    def domains_down(self, domains: Domains, analyzer: Analyzer, limit: Callable[[IterVar], bool]) -> None:
        extent = domains[self.parent].extent
        given, rest = (self.inner, self.outer) if self.factor is not None else (self.outer, self.inner)
        size = self.factor if self.factor is not None else self.nparts
        assert size is not None
        shorter = limit(given) and not self.disable_predication and analyzer.can_prove(extent < size)
        update(domains, given, from_zero(analyzer.simplify(extent if shorter else size)), analyzer)
        update(domains, rest, from_zero(ceil_div(analyzer, extent, size)), analyzer)

    def values_up(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        value = values[self.inner] + values[self.outer] * domains[self.inner].extent
        values[self.parent] = shifted(value, domains[self.parent].min)

    def values_down(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        value = unshifted(values[self.parent], domains[self.parent].min)
        factor = domains[self.inner].extent
        values[self.outer], values[self.inner] = value // factor, value % factor

    def sets_up(self, domains: Mapping[IterVar, Range], sets: Sets) -> None:
        if self.covers(domains, sets):
            sets[self.parent] = IntSet.from_range(domains[self.parent])
            return
        outer, inner = self.outer.var, self.inner.var
        value = outer * domains[self.inner].extent + inner + domains[self.parent].min
        sets[self.parent] = eval_set(value, {outer: sets[self.outer], inner: sets[self.inner]})

    def checks_up(
        self,
        domains: Mapping[IterVar, Range],
        checks: MutableMapping[IterVar, bool],
        can_prove: Callable[[Expr], bool],
    ) -> None:
        super().checks_up(domains, checks, can_prove)
        size = domains[self.inner].extent * domains[self.outer].extent
        if not self.disable_predication and not can_prove(domains[self.parent].extent.equal(size)):
            checks[self.parent] = True


@dataclass(frozen=True, eq=False)
class Fuse(Relation):
    """`fused` is `outer * extent of inner + inner`."""

    outer: IterVar
    inner: IterVar
    fused: IterVar

    @property
    def parents(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return (self.outer, self.inner)

    @property
    def children(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return (self.fused,)

    def domains_down(self, domains: Domains, analyzer: Analyzer, limit: Callable[[IterVar], bool]) -> None:
        size = domains[self.outer].extent * domains[self.inner].extent
        domains[self.fused] = from_zero(size)

    def values_up(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        value, factor = values[self.fused], domains[self.inner].extent
        outer, inner = value // factor, value % factor  # of the wider dtype of both
        values[self.outer] = shifted(cast(self.outer.var.dtype, outer), domains[self.outer].min)
        values[self.inner] = shifted(cast(self.inner.var.dtype, inner), domains[self.inner].min)

    def values_down(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        outer = unshifted(values[self.outer], domains[self.outer].min)
        inner = unshifted(values[self.inner], domains[self.inner].min)
        values[self.fused] = outer * domains[self.inner].extent + inner

    def sets_up(self, domains: Mapping[IterVar, Range], sets: Sets) -> None:
        fused, outer, inner = sets[self.fused], domains[self.outer], domains[self.inner]
        factor = inner.extent
        if self.covers(domains, sets):
            sets[self.outer], sets[self.inner] = IntSet.from_range(outer), IntSet.from_range(inner)
        elif fused.is_single_point():
            sets[self.outer] = IntSet.single_point(shifted(fused.point_value() // factor, outer.min))
            sets[self.inner] = IntSet.single_point(shifted(fused.point_value() % factor, inner.min))
        else:
            analyzer = Analyzer()
            first, last = fused.min_value, fused.max_value
            extent = last - first + 1
            sets[self.outer] = IntSet.interval(outer.min + first // factor, outer.min + last // factor)
            in_one_row = analyzer.can_prove((factor % extent).equal(0)) and analyzer.can_prove(
                (first % extent).equal(0)
            )
            sets[self.inner] = (
                IntSet.interval(inner.min + first % factor, inner.min + last % factor)
                if in_one_row
                else IntSet.from_range(inner)
            )


@dataclass(frozen=True, eq=False)
class Rebase(Relation):
    """`parent` is `rebased`, counted from where its range begins."""

    parent: IterVar
    rebased: IterVar

    @property
    def parents(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return (self.parent,)

    @property
    def children(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return (self.rebased,)

    def domains_down(self, domains: Domains, analyzer: Analyzer, limit: Callable[[IterVar], bool]) -> None:
        update(domains, self.rebased, from_zero(domains[self.parent].extent), analyzer)

    def values_up(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        values[self.parent] = shifted(values[self.rebased], domains[self.parent].min)

    def values_down(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        values[self.rebased] = unshifted(values[self.parent], domains[self.parent].min)

    def sets_up(self, domains: Mapping[IterVar, Range], sets: Sets) -> None:
        parent = domains[self.parent]
        var = self.rebased.var
        sets[self.parent] = (
            IntSet.from_range(parent)
            if self.covers(domains, sets)
            else eval_set(var + parent.min, {var: sets[self.rebased]})
        )


@dataclass(frozen=True, eq=False)
class Singleton(Relation):
    """A loop of one iteration, of an operation without axes."""

    iter: IterVar
    parents = ()

    @property
    def children(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return (self.iter,)

    def domains_down(self, domains: Domains, analyzer: Analyzer, limit: Callable[[IterVar], bool]) -> None:
        update(domains, self.iter, from_zero(1), analyzer)

    def values_up(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        """Nothing depends on it."""

    def values_down(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        values[self.iter] = domains[self.iter].min

    def sets_up(self, domains: Mapping[IterVar, Range], sets: Sets) -> None:
        """Nothing depends on it."""


@dataclass(frozen=True, eq=False)
class Transform(Relation):
    """The children are a map of the parents, as a layout is."""

    originals: tuple[IterVar, ...]
    transformed: tuple[IterVar, ...]
    forward: IndexMap
    inverse: IndexMap

    @property
    def parents(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return self.originals

    @property
    def children(self) -> tuple[IterVar, ...]:  # type: ignore[override]
        return self.transformed

    def domains_down(self, domains: Domains, analyzer: Analyzer, limit: Callable[[IterVar], bool]) -> None:
        for axis in self.transformed:
            assert axis.dom is not None
            update(domains, axis, axis.dom, analyzer)

    def _mapped(self, index_map: IndexMap, inputs: tuple[IterVar, ...], values: Values) -> tuple[Expr, ...]:
        given = dict(zip(index_map.initial_indices, [values[axis] for axis in inputs], strict=True))
        return tuple([substitute(index, given) for index in index_map.final_indices])

    def values_up(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        values.update(zip(self.originals, self._mapped(self.inverse, self.transformed, values), strict=True))

    def values_down(self, domains: Mapping[IterVar, Range], values: Values) -> None:
        values.update(zip(self.transformed, self._mapped(self.forward, self.originals, values), strict=True))

    def sets_up(self, domains: Mapping[IterVar, Range], sets: Sets) -> None:
        var_sets = {axis.var: sets[axis] for axis in self.transformed}
        values = self._mapped(self.inverse, self.transformed, {axis: axis.var for axis in self.transformed})
        for axis, value in zip(self.originals, values, strict=True):
            sets[axis] = eval_set(value, var_sets)
