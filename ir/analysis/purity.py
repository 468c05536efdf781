"""Check that a function has no side effects."""

from __future__ import annotations

from tvmscript.ir.analysis.errors import NotPure
from tvmscript.ir.core import CallEffect, Op, Visitor, on
from tvmscript.ir.tir import Allocate, Block, BufferStore, Call, PrimFunc, Var


def is_pure_function(func: PrimFunc) -> bool:
    """Return whether a function writes local memory only and calls pure functions only."""
    walk = _Effects()
    walk.visit(func.body)
    return walk.first is None


def assert_pure_function(func: PrimFunc) -> bool:
    """Return True. Raises `NotPure` for a function with side effects."""
    walk = _Effects()
    walk.visit(func.body)
    if walk.first is not None:
        what = walk.first
        shown = f"writes {what.buffer.name}" if isinstance(what, BufferStore) else f"calls {_callee(what)}"
        raise NotPure(what=shown, span=what.span or func.span)
    return True


def _callee(call: Call) -> str:
    return str(getattr(call.op, "name", None) or getattr(call.op, "name_hint", "a function"))


class _Effects(Visitor):
    def __init__(self) -> None:
        #: memory that the function allocates itself
        self.own: set[Var] = set()
        self.first: BufferStore | Call | None = None

    def record(self, node: BufferStore | Call) -> None:
        if self.first is None:
            self.first = node

    @on(Allocate)
    def allocate(self, node: Allocate) -> None:
        self.own.add(node.buffer_var)
        self.walk(node)

    @on(Block)
    def block(self, node: Block) -> None:
        self.own.update(buffer.data for buffer in node.alloc_buffers)
        self.own.update(match.buffer.data for match in node.match_buffers if match.source.buffer.data in self.own)
        self.walk(node)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        self.walk(node)
        if node.buffer.data not in self.own:
            self.record(node)

    @on(Call)
    def call(self, node: Call) -> None:
        self.walk(node)
        effect = node.op.effect if isinstance(node.op, Op) else CallEffect.UPDATE_STATE
        if effect is CallEffect.UPDATE_STATE:
            self.record(node)
