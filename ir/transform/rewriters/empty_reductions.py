"""Inits of reductions that may have no step.

A block runs its init at the first step of its reduction. Where a reduction loop runs over nothing there is none, and
the results would be what was in memory: the init runs in a loop nest of its own.
"""

from __future__ import annotations

from tvmscript.ir.analysis.statements import statements
from tvmscript.ir.arith.fold import TRUE, conjuncts
from tvmscript.ir.core import on
from tvmscript.ir.tir import (
    LE,
    Block,
    BlockRealize,
    Expr,
    For,
    ForKind,
    IfThenElse,
    IntImm,
    IterKind,
    PrimFunc,
    StatementRewriter,
    Stmt,
    Var,
    rename_definitions,
    seq,
    uses,
)
from tvmscript.ir.tir.operators import all_of, any_of


def init_empty_reductions(func: PrimFunc) -> PrimFunc:
    """Add a loop nest that runs the init of each reduction whose loops may have an extent of 0.

    rewrite:
        for i, k in T.grid(4, n):                       for i in range(4):
            with T.block("C"):                              for k in range(n):
                ...                                             with T.block("C"):
                with T.init():                  -->                 ...
                    C[vi] = 0.0                             if n <= 0:
                C[vi] = C[vi] + A[vi, vk]                       with T.block("C_init"):
                                                                    vi = T.axis.spatial(4, i)
                                                                    C[vi] = 0.0
    """
    if not any(isinstance(stmt, Block) and stmt.init is not None for stmt in statements(func.body)):
        return func
    return func.with_body(_EmptyReductions().rewrite(func.body))


class _EmptyReductions(StatementRewriter):
    @on(For)
    def for_loop(self, node: For) -> Stmt:
        nest, realize = _nest(node)
        if realize is None or node.loop_var not in _reduction_variables(realize):
            return super().for_loop(node)
        new_loop: Stmt = self.rewrite(realize)
        for loop in reversed(nest):
            new_loop = loop.rebuild(body=new_loop)
        return seq(new_loop, *_init_nest(nest, realize))


def _nest(loop: For) -> tuple[list[For], BlockRealize | None]:
    """Return the loops down to a block that has an init; None where the innermost has another body."""
    loops = [loop]
    while isinstance(loops[-1].body, For):
        loops.append(loops[-1].body)
    body = loops[-1].body
    return loops, body if isinstance(body, BlockRealize) and body.block.init is not None else None


def _reduction_variables(realize: BlockRealize) -> set[Var]:
    axes = zip(realize.block.iter_vars, realize.iter_values, strict=True)
    return uses(tuple([value for axis, value in axes if axis.iter_type is IterKind.COMM_REDUCE]))


def _init_nest(loops: list[For], realize: BlockRealize) -> list[Stmt]:
    """Return what runs the init where a reduction loop has no iteration; nothing if all have some.

    Loops that are bound to threads, and those that spatial and reduction axes share, stay as they are.
    """
    block, reduced = realize.block, _reduction_variables(realize)
    inside = {loop.loop_var for loop in loops}
    extents = [loop.extent for loop in loops if loop.loop_var in reduced]
    empty = [extent for extent in extents if not _is_positive(extent) and inside.isdisjoint(uses(extent))]
    kept = [loop for loop in loops if loop.loop_var not in reduced]
    axes = zip(block.iter_vars, realize.iter_values, strict=True)
    spatial = [(axis, value) for axis, value in axes if axis.iter_type is not IterKind.COMM_REDUCE]
    values = tuple([value for _, value in spatial])
    needed = uses((values, [(loop.min, loop.extent) for loop in kept]))
    is_bound = any(loop.kind is ForKind.THREAD_BINDING for loop in loops)
    if not empty or block.init is None or is_bound or not reduced.isdisjoint(needed):
        return []
    init_axes = tuple([axis for axis, _ in spatial])
    init = Block(init_axes, (), block.writes, f"{block.name_hint}_init", block.init, span=block.span)
    conditions = [part for part in conjuncts(realize.predicate) if reduced.isdisjoint(uses(part))]
    nest: Stmt = BlockRealize(values, all_of(*conditions) if conditions else TRUE, init)
    for loop in reversed(kept):
        nest = loop.replace(body=nest)
    condition = any_of(*[LE(extent, IntImm(extent.dtype, 0)) for extent in empty])
    return [IfThenElse(condition, rename_definitions(nest))]


def _is_positive(extent: Expr) -> bool:
    return isinstance(extent, IntImm) and extent.value > 0
