"""Merge of sibling loop nests into one: merge."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.core.errors import WrongArgumentCount
from tvmscript.ir.schedule.analysis.bindings import LoopVarSubstitution
from tvmscript.ir.schedule.analysis.block_properties import enclosing_scope
from tvmscript.ir.schedule.analysis.merge_order import find_reversed_dependence
from tvmscript.ir.schedule.errors import ScheduleError, listed
from tvmscript.ir.schedule.primitive.split_fuse import (
    NotOnlyChildError,
    check_no_annotation_or_binding,
    check_starts_at_zero,
)
from tvmscript.ir.schedule.random_variables import LoopRV
from tvmscript.ir.schedule.recorder import Recorder, primitive
from tvmscript.ir.schedule.tree import StmtRef, common_ancestor, replace_child
from tvmscript.ir.tir import NOOP, Block, Expr, For, ForKind, IntImm, Stmt, Var, seq


class LoopsNotAlikeError(ScheduleError, code="TS4154"):
    """Loops to merge must be in the same block, equally deep below their common ancestor, with equal extents."""

    message = "loops {first} and {other} cannot be merged: {why}"


class DependentBodiesError(ScheduleError, code="TS4196"):
    """A merge must keep the order of dependent accesses: what one body writes, another one must not read or write in an
    earlier iteration, and no statement between the loops may use it. TVM does not check this.
    """

    message = "loops {loops} cannot be merged: accesses of {buffer} would change their order"
    advice = "Schedule(..., enable_check=False) merges them without this check"


class Merge(Recorder):
    """Loops."""

    @primitive("Merge", inputs=("*loops",))
    def merge(self, *loops: LoopRV) -> LoopRV:
        """Merge loops, and the loops above them up to their common ancestor, into one nest that runs all bodies.

        An iteration runs the bodies in the order of the arguments. The nest replaces the last loop. Raises
        `WrongArgumentCount`, `HasAnnotationOrThreadBindingError`, `LoopNotStartWithZeroError`, `NotOnlyChildError`,
        `LoopsNotAlikeError`; `DependentBodiesError` unless checks are disabled.
        """
        if len(loops) < 2:
            raise WrongArgumentCount(where="merge", expected="at least two loops", got=len(loops))
        return self.new_loop(_merge([self.loop(loop) for loop in loops], is_checked=self.enable_check))


def _merge(loops: Sequence[StmtRef], *, is_checked: bool) -> StmtRef:
    shared = common_ancestor([*loops])
    nests = _collect_nests(loops, shared)
    if is_checked:
        _check_dependences(shared, nests)
    first = nests[0]
    dtypes = [loop.loop.loop_var.dtype for loop in first]
    variables = [Var(f"{ref.loop.loop_var.name}_m", ref.loop.loop_var.dtype) for ref in first]
    bodies: list[Stmt] = []
    blocks: dict[Block, Block] = {}
    for nest in nests:
        values: dict[Var, Expr] = {ref.loop.loop_var: new for ref, new in zip(nest, variables, strict=True)}
        rebinding = LoopVarSubstitution(values)
        bodies.append(rebinding.rewrite(nest[-1].loop.body))
        blocks |= rebinding.blocks
    stmt: Stmt = seq(*bodies)
    for variable, dtype, ref in reversed([*zip(variables, dtypes, first, strict=True)]):
        stmt = For(variable, IntImm(dtype, 0), ref.loop.extent, ForKind.SERIAL, stmt)
    outermost = stmt
    around: For | Block = shared.block if shared.is_block else shared.loop
    body = around.body
    for nest in nests[:-1]:
        body = replace_child(body, nest[0].loop, NOOP)
    merged = around.replace(body=replace_child(body, nests[-1][0].loop, stmt))
    if shared.is_block:
        blocks[merged] = shared.block  # type: ignore[index]  # it is a block as well
    shared.tree.replace(shared, merged, blocks)
    innermost = outermost
    for _ in variables[1:]:
        innermost = innermost.body  # type: ignore[attr-defined]  # nested loops
    return shared.tree.refs[innermost]


def _check_dependences(shared: StmtRef, nests: Sequence[Sequence[StmtRef]]) -> None:
    """Raise `DependentBodiesError` if dependent accesses would change their order."""
    accesses = find_reversed_dependence(shared.tree.func, nests)
    if accesses is not None:
        names = listed([nest[-1].loop.loop_var.name for nest in nests])
        at = [nest[-1].loop for nest in nests]
        raise DependentBodiesError(loops=names, buffer=accesses[0].buffer.name, at=at)


def _collect_nests(loops: Sequence[StmtRef], shared: StmtRef) -> list[list[StmtRef]]:
    """Return the loops from below the common ancestor down to each loop; check that the nests match."""
    nests: list[list[StmtRef]] = []
    scopes: list[StmtRef] = []
    for ref in loops:
        scopes.append(enclosing_scope(ref, "merge"))
        nest = _collect_nest(ref, shared)
        nests.append(nest)
        names = {"first": loops[0].loop.loop_var.name, "other": ref.loop.loop_var.name}
        at = [loops[0].loop, ref.loop]
        if loops.count(ref) > 1:
            raise LoopsNotAlikeError(**names, why="the second one is given twice", at=at)
        if scopes[-1] is not scopes[0]:
            raise LoopsNotAlikeError(**names, why="they are in different blocks", at=at)
        if len(nest) != len(nests[0]):
            raise LoopsNotAlikeError(**names, why="their nests differ in depth", at=at)
        for mine, its in zip(nests[0], nest, strict=True):
            a, b = mine.loop, its.loop
            if not Analyzer().can_prove_equal(a.extent, b.extent):
                why = f"{a.loop_var.name} has extent {a.extent}, {b.loop_var.name} has extent {b.extent}"
                raise LoopsNotAlikeError(**names, why=why, at=at)
    if not nests[0]:
        name = loops[0].loop.loop_var.name
        raise LoopsNotAlikeError(first=name, other=name, why="they are the same loop", at=[loops[0].loop])
    return nests


def _collect_nest(ref: StmtRef, shared: StmtRef) -> list[StmtRef]:
    nest: list[StmtRef] = []
    at: StmtRef | None = ref
    while at is not None and at is not shared:
        if not at.is_block:
            check_no_annotation_or_binding(at.loop)
            check_starts_at_zero(at.loop)
            nest.append(at)
        at = at.parent
    nest.reverse()
    for outer, inner in itertools.pairwise(nest):
        if outer.loop.body is not inner.loop:
            names = outer.loop.loop_var.name, inner.loop.loop_var.name
            raise NotOnlyChildError(outer=names[0], inner=f"loop {names[1]}", at=[outer.loop, inner.loop])
    return nest
