"""What passes refuse."""

from __future__ import annotations

from tvmscript.ir.core.errors import IRError


class InitNotLowered(IRError):
    code = "TS4001"
    message = "block {block} still has an init; run tir.LowerInitBlock before"


class BlockNotOpaque(IRError):
    code = "TS4002"
    message = "block {block} still has iteration variables; run tir.ConvertBlocksToOpaque before"


class MatchNotLowered(IRError):
    code = "TS4003"
    message = "block {block} still has match_buffers; run tir.LowerMatchBuffer before"


class CannotMatch(IRError):
    code = "TS4004"
    message = "buffer {buffer} cannot stand for the region of {source}: {reason}"


class BlockInLoops(IRError):
    code = "TS4005"
    message = "{name} works on loops, but block {block} is left; run tir.LowerOpaqueBlock before"
