"""The root block, which a text may leave out."""

from __future__ import annotations

from tvmscript.ir.core.dtype import BOOL
from tvmscript.ir.core.span import Span
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import IntImm
from tvmscript.ir.tir.stmt import Block, BlockRealize


def add_root_block(body: Stmt, root_buffers: tuple[Buffer, ...], has_blocks: bool, span: Span) -> Stmt:
    """The body in a root block, where it allocates buffers or has blocks and is not an opaque block itself."""
    if isinstance(body, BlockRealize):
        needed = bool(root_buffers or (has_blocks and body.block.iter_vars))
    else:
        needed = bool(root_buffers or has_blocks)
    if not needed:
        return body
    root = Block((), (), (), "root", body, None, root_buffers, span=span)
    return BlockRealize((), IntImm(BOOL, 1), root, span=span)
