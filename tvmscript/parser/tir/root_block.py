"""The implicit root block."""

from __future__ import annotations

from tvmscript.ir.core import BOOL, Span
from tvmscript.ir.tir import Block, BlockRealize, Buffer, IntImm, Stmt


def add_root_block(body: Stmt, root_buffers: tuple[Buffer, ...], has_blocks: bool, span: Span | None) -> Stmt:
    """Wrap a body that allocates buffers or has blocks in a root block, unless it is an opaque block."""
    if isinstance(body, BlockRealize):
        is_needed = bool(root_buffers or (has_blocks and body.block.iter_vars))
    else:
        is_needed = bool(root_buffers or has_blocks)
    if not is_needed:
        return body
    root = Block((), (), (), "root", body, None, root_buffers, span=span)
    return BlockRealize((), IntImm(BOOL, 1), root, span=span)
