"""Well-formedness of calls of tile primitives: their regions, expressions and lambdas use names in scope."""

from __future__ import annotations

from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.buffer import Buffer
from tvmscript.ir.tir.expr import BufferRegion
from tvmscript.ir.tir.tile import TileCall, TileLambda
from tvmscript.ir.tir.verify import STMT_RULES, Walk


@STMT_RULES.register(TileCall)
def _tile_call(walk: Walk, node: TileCall) -> None:
    _check(walk, node.args)
    _check(walk, node.options)


def _check(walk: Walk, value: object) -> None:
    if isinstance(value, Expr):
        walk.expr(value)
    elif isinstance(value, BufferRegion):
        walk.region(value)
    elif isinstance(value, Buffer):
        walk.use(value)
    elif isinstance(value, TileLambda):
        for var in value.vars:
            walk.define(var, value)
        walk.expr(value.body)
        for var in value.vars:
            walk.forget(var)
    elif isinstance(value, (tuple, list)):
        for item in value:
            _check(walk, item)
    elif isinstance(value, dict):
        for item in value.values():
            _check(walk, item)
