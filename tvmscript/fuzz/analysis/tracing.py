"""Running the loops of a function in plain Python, to see who touches which element in which iteration."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tvmscript.ir.core.visit import Visitor, on
from tvmscript.ir.tir.expr import And, BinaryOp, BufferLoad, Call, IntImm, Or, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore, For, ForKind, IfThenElse, LetStmt

_COMPUTE: dict[str, Callable[[int, int], int]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "FloorDiv": lambda a, b: a // b,
    "FloorMod": lambda a, b: a % b,
    "Min": min,
    "Max": max,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "EQ": lambda a, b: a == b,
    "And": lambda a, b: a and b,
    "Or": lambda a, b: a or b,
}


@dataclass
class Log:
    """Who reads and writes each element of each buffer: iterations of the loop, in the order of their statements."""

    reads: dict[Any, set[int]] = field(default_factory=lambda: defaultdict(set))
    writes: dict[Any, set[int]] = field(default_factory=lambda: defaultdict(set))

    def has_conflict(self) -> bool:
        """Whether an element is written by one iteration and touched by another."""
        return any(len(writers | self.reads.get(element, set())) > 1 for element, writers in self.writes.items())


def traced(func: PrimFunc) -> Log:
    """What the iterations of the outermost loop touch."""
    walk = _Trace()
    walk.visit(func.body)
    return walk.log


class _Trace(Visitor):
    def __init__(self) -> None:
        self.log = Log()
        self.values: dict[Var, int] = {}
        self.iteration: int | None = None

    def value(self, expr: Any) -> int:
        if isinstance(expr, IntImm):
            return expr.value
        if isinstance(expr, Var):
            return self.values[expr]
        assert isinstance(expr, BinaryOp), expr
        return _COMPUTE[type(expr).__name__](self.value(expr.a), self.value(expr.b))

    @on(For)
    def loop(self, node: For) -> None:
        first = self.value(node.min)
        outermost = self.iteration is None
        for at in range(first, first + self.value(node.extent)):
            self.values[node.loop_var] = at
            if outermost:
                assert node.kind is not ForKind.SERIAL
                self.iteration = at
            self.visit(node.body)
        if outermost:
            self.iteration = None

    @on(IfThenElse)
    def branch(self, node: IfThenElse) -> None:
        if self.value(node.condition):
            self.visit(node.then_case)

    @on(LetStmt)
    def let(self, node: LetStmt) -> None:
        self.values[node.var] = self.value(node.value)
        self.visit(node.body)

    @on(Call)
    def call(self, node: Call) -> None:
        assert getattr(node.op, "name", "") == "tir.if_then_else"
        self.visit(node.args[1] if self.value(node.args[0]) else node.args[2])

    @on(And, Or)
    def logic(self, node: And | Or) -> None:
        """Conditions of these programs load nothing."""

    @on(BufferLoad)
    def load(self, node: BufferLoad) -> None:
        assert self.iteration is not None
        self.log.reads[self.element(node)].add(self.iteration)

    @on(BufferStore)
    def store(self, node: BufferStore) -> None:
        assert self.iteration is not None
        self.visit(node.value)
        self.log.writes[self.element(node)].add(self.iteration)

    def element(self, node: BufferLoad | BufferStore) -> Any:
        return node.buffer, tuple(self.value(index) for index in node.indices)
