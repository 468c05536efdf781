"""Reductions without terms, whose results stay as they are: `T.init` is a part of the first iteration."""

from __future__ import annotations

from collections.abc import Iterator

from tvmscript.ir.core import nodes
from tvmscript.ir.tir import Block, BlockRealize, Expr, IfThenElse, IterKind, PrimFunc, SeqStmt, Stmt
from tvmscript.ir.tir.expr import GT, IntImm
from tvmscript.ir.tir.operators import all_of


def guard_empty_reductions(func: PrimFunc, scheduled: PrimFunc) -> PrimFunc:
    """Run reductions whose init was moved out of their loops only if these loops have iterations.

    `func` is the function before it was scheduled. Results that are not arguments are left out: without terms, they
    have no value.

    rewrite:
        C[0] = 0.0                                  if n > 0:
        for k in range(n):                              C[0] = 0.0
            C[0] = C[0] + A[k]            -->       if n > 0:
                                                        for k in range(n):
                                                            C[0] = C[0] + A[k]
    """
    root = scheduled.body
    blocks = {node.name_hint: node for node in nodes(root) if isinstance(node, Block)}
    conditions: dict[str, Expr] = {}
    for name in _reductions(func):
        update = blocks.get(f"{name}_update")
        condition = None if update is None else _has_terms(update)
        if condition is not None:
            conditions |= {f"{name}_init": condition, f"{name}_update": condition}
    if not conditions or not isinstance(root, BlockRealize):
        return scheduled
    body = root.block.body
    parts = [_guard(part, conditions) for part in (body.seq if isinstance(body, SeqStmt) else (body,))]
    block = root.block.replace(body=SeqStmt(tuple(parts)) if len(parts) > 1 else parts[0])
    return scheduled.replace(body=root.replace(block=block))


def _reductions(func: PrimFunc) -> Iterator[str]:
    """Yield the names of the blocks that initialize arguments and reduce into them."""
    arguments = [*func.buffer_map.values()]
    for node in nodes(func.body):
        if not isinstance(node, Block) or node.init is None:
            continue
        if all(region.buffer in arguments for region in node.writes):
            yield node.name_hint


def _has_terms(block: Block) -> Expr | None:
    """Return the condition that the reduction loops of a block have iterations, None if they always have."""
    domains = [axis.dom for axis in block.iter_vars if axis.iter_type is IterKind.COMM_REDUCE]
    extents = [domain.extent for domain in domains if domain is not None]
    unknown = [extent for extent in extents if not isinstance(extent, IntImm) or extent.value < 1]
    return all_of(*[GT(extent, IntImm(extent.dtype, 0)) for extent in unknown]) if unknown else None


def _guard(nest: Stmt, conditions: dict[str, Expr]) -> Stmt:
    names = {node.name_hint for node in nodes(nest) if isinstance(node, Block)}
    condition = next((condition for name, condition in conditions.items() if name in names), None)
    return nest if condition is None else IfThenElse(condition, nest, span=nest.span)
