"""Replace nests of an unscheduled function by several nests with buffers between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tvmscript.ir.tir import BlockRealize, Buffer, For, PrimFunc, Stmt, seq
from tvmscript.ir.tir.stmt import stmt_list

#: a nest and its block -> the nests in its place and their buffers, None if it stays
Split = Callable[[Stmt, BlockRealize], tuple[Sequence[Stmt], Sequence[Buffer]] | None]


def split_nests(func: PrimFunc, split: Split) -> PrimFunc:
    """Return the function with nests split, the function itself where none is."""
    if not isinstance(func.body, BlockRealize):
        return func
    root = func.body.block
    stmts, buffers = list[Stmt](), list[Buffer]()
    for stmt in stmt_list(root.body):
        inner = innermost(stmt)
        replacement = split(stmt, inner) if isinstance(inner, BlockRealize) else None
        if replacement is None:
            stmts.append(stmt)
        else:
            stmts += replacement[0]
            buffers += replacement[1]
    if not buffers:
        return func
    block = root.replace(body=seq(*stmts), alloc_buffers=(*root.alloc_buffers, *buffers))
    return func.replace(body=func.body.replace(block=block))


def innermost(nest: Stmt) -> Stmt:
    """Return the statement inside the loops of a nest."""
    while isinstance(nest, For):
        nest = nest.body
    return nest


def put_in_nest(nest: Stmt, body: Stmt) -> Stmt:
    """Return the loops of a nest around another body."""
    return nest.replace(body=put_in_nest(nest.body, body)) if isinstance(nest, For) else body
