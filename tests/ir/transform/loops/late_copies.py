"""Asynchronous copies that arrive as late as the program allows: when a wait asks for them, and never without one.

What a copy writes is taken back when it has run, and put there when a wait leaves no more groups on their way than
the program says. A wait that lets too many groups be on their way, or a missing one, makes values wrong.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from tvmscript.backends.interp.compiler import RULES, Code, Compiler, Frame
from tvmscript.backends.interp.memory import Memory, Pointer
from tvmscript.ir.tir.stmt import AttrStmt

#: memory, place, bytes
Change = tuple[Memory, int, bytes]


class _Queue:
    """The copies of one asynchronous stage."""

    def __init__(self) -> None:
        self.open: list[Change] = []
        self.groups: list[list[Change]] = []

    def wait(self, allowed: int) -> None:
        assert allowed >= 0
        while len(self.groups) > allowed:
            for memory, place, data in self.groups.pop(0):
                memory.raw[place : place + len(data)] = data


class _Late:
    def __init__(self) -> None:
        self.queues: dict[int, _Queue] = {}
        #: copies that were started and belong to no group yet
        self.started: list[Change] = []
        self.waits = 0

    def queue(self, number: int) -> _Queue:
        return self.queues.setdefault(number, _Queue())

    def rule(self, compiler: Compiler, node: AttrStmt) -> Code:
        if node.attr_key == "async_scope":
            return self.copy(compiler.code(node.body))
        number: Any = node.value
        body = node.body
        if node.attr_key == "async_commit_queue_scope":
            return self.commit(number.value, compiler.code(body))
        if node.attr_key == "async_wait_queue_scope":
            assert isinstance(body, AttrStmt)
            return self.wait(number.value, compiler.code(body.value), compiler.code(body.body))
        return _ORIGINAL(compiler, node)

    def copy(self, body: Code) -> Code:
        def run(frame: Frame) -> None:
            memories = list({id(item.memory): item.memory for item in frame if isinstance(item, Pointer)}.values())
            before = [bytes(memory.raw) for memory in memories]
            body(frame)
            for memory, old in zip(memories, before, strict=True):
                new = bytes(memory.raw)
                changed = [place for place in range(0, len(old), 4) if old[place : place + 4] != new[place : place + 4]]
                for place in changed:
                    self.started.append((memory, place, new[place : place + 4]))
                    memory.raw[place : place + 4] = old[place : place + 4]

        return run

    def commit(self, number: int, body: Code) -> Code:
        def run(frame: Frame) -> None:
            body(frame)
            self.queue(number).groups.append(self.started)
            self.started = []

        return run

    def wait(self, number: int, allowed: Code, body: Code) -> Code:
        def run(frame: Frame) -> None:
            self.waits += 1
            self.queue(number).wait(allowed(frame))
            body(frame)

        return run


_ORIGINAL = RULES[AttrStmt]


@contextmanager
def late_copies() -> Generator[_Late, None, None]:
    """What is compiled and run inside has asynchronous copies that are late."""
    late = _Late()
    RULES[AttrStmt] = late.rule
    try:
        yield late
    finally:
        RULES[AttrStmt] = _ORIGINAL
