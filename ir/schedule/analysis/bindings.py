"""Substitution of loop variables in block bindings, and analyzers with loop and axis domains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tvmscript.ir.arith import fold
from tvmscript.ir.arith.analyzer import Analyzer
from tvmscript.ir.arith.iter_map.iter_sum import IterMapLevel
from tvmscript.ir.arith.iter_map.simplify import iter_map_simplify
from tvmscript.ir.core import on
from tvmscript.ir.schedule.tree import StmtRef, path_to
from tvmscript.ir.tir import (
    Block,
    BlockRealize,
    Expr,
    For,
    IntImm,
    IterVar,
    Range,
    StatementRewriter,
    Stmt,
    TirRewriter,
    Var,
)


class LoopVarSubstitution(TirRewriter):
    """Substitute values for loop variables; `blocks` maps each new block to its old one.

    With a `condition`, it is added to the predicates of the outermost blocks. Blocks with axes are not entered: only
    the domains of their axes may use loop variables.
    """

    def __init__(self, values: Mapping[Var, Expr], condition: Expr | None = None) -> None:
        super().__init__()
        for variable, value in values.items():
            self.renamed[variable] = value
        self.condition = condition
        self.blocks: dict[Block, Block] = {}

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        condition, self.condition = self.condition, None
        values = self._tuple(node.iter_values, self.rewrite)
        predicate = self.rewrite(node.predicate)
        block = self.substitute_domains(node.block) if node.block.iter_vars else self.rewrite(node.block)
        if block is not node.block:
            self.blocks[block] = node.block
        self.condition = condition
        if condition is not None:
            predicate = fold.logical_and(predicate, condition)
        if values is node.iter_values and predicate is node.predicate and block is node.block:
            return node
        return BlockRealize(values, predicate, block, span=node.span)

    def substitute_domains(self, block: Block) -> Block:
        """Substitute in the domains of the axes of a block."""
        if all(axis.dom is None or isinstance(axis.dom.extent, IntImm) for axis in block.iter_vars):
            return block
        doms = [None if axis.dom is None else self.rewrite(axis.dom) for axis in block.iter_vars]
        if all(result is axis.dom for result, axis in zip(doms, block.iter_vars, strict=True)):
            return block
        axes = [axis.replace(dom=result) for result, axis in zip(doms, block.iter_vars, strict=True)]
        return block.replace(iter_vars=tuple(axes))


class _BindingSimplifier(StatementRewriter):
    """Simplify the bindings of blocks over the ranges of the loops around them."""

    def __init__(self, domains: dict[Var, Range], blocks: dict[Block, Block], preserve_unit_iters: bool) -> None:
        super().__init__()
        self.domains = domains
        self.blocks = blocks
        self.preserve_unit_iters = preserve_unit_iters

    @on(For)
    def loop(self, node: For) -> Stmt:
        self.domains[node.loop_var] = Range.from_min_extent(node.min, node.extent)
        body = self.rewrite(node.body)
        del self.domains[node.loop_var]
        return node if body is node.body else node.replace(body=body)

    @on(BlockRealize)
    def realize(self, node: BlockRealize) -> Stmt:
        block = node.block
        if not block.iter_vars:
            stmt = self.rewrite(block)
            if stmt is block:
                return node
            self.blocks[stmt] = self.blocks.pop(block, block)
            return node.replace(block=stmt)
        values = self.simplify_values(node)
        if all(stmt is value for stmt, value in zip(values, node.iter_values, strict=True)):
            return node
        return BlockRealize(tuple(values), node.predicate, block, span=node.span)

    def simplify_values(self, node: BlockRealize) -> Sequence[Expr]:
        """Return the simplified binding values of a block."""
        return iter_map_simplify(
            node.iter_values,
            self.domains,
            node.predicate,
            IterMapLevel.Surjective,
            simplify_trivial_iterators=not self.preserve_unit_iters,
        )


def analyzer_of_loops(loops: Iterable[For]) -> Analyzer:
    """Return an analyzer with the ranges of loop variables."""
    analyzer = Analyzer()
    for variable, domain in loop_ranges(loops).items():
        analyzer.bind(variable, domain)
    return analyzer


def bind_outer(analyzer: Analyzer, ref: StmtRef) -> None:
    """Bind the loops and axes around a loop or block in an analyzer."""
    if ref.parent is not None:
        bind_path(analyzer, ref.parent)


def bind_path(analyzer: Analyzer, ref: StmtRef) -> None:
    """Bind a loop, or the axes of a block, and the loops and axes around it in an analyzer."""
    for around in path_to(ref):
        if around.is_block:
            bind_axes(analyzer, around.block)
        else:
            analyzer.bind(around.loop.loop_var, Range.from_min_extent(around.loop.min, around.loop.extent))


def bind_axes(analyzer: Analyzer, block: Block) -> None:
    """Bind the axes of a block in an analyzer."""
    for axis in block.iter_vars:
        if axis.dom is not None:
            analyzer.bind(axis.var, axis.dom)


def domain_of(axis: IterVar) -> Range:
    """Return the domain of a block axis. Raises `ValueError` if it has none."""
    if axis.dom is None:
        raise ValueError(f"the axis {axis.var.name} is none of a block: it has no domain")
    return axis.dom


def loop_ranges(loops: Iterable[For]) -> dict[Var, Range]:
    """Return the ranges of loop variables."""
    return {loop.loop_var: Range.from_min_extent(loop.min, loop.extent) for loop in loops}


def simplify_bindings(
    stmt: Stmt, around: Sequence[For], blocks: dict[Block, Block], *, preserve_unit_iters: bool = True
) -> Stmt:
    """Simplify the bindings of the blocks in a statement; `around` are the loops outside of it.

    `blocks` maps new blocks to old ones, and is updated.
    """
    simplified: Stmt = _BindingSimplifier(loop_ranges(around), blocks, preserve_unit_iters).rewrite(stmt)
    return simplified
