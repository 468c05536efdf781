"""Random programs whose accesses may leave their buffers, and whose loops may race."""

from __future__ import annotations

import random


def random_program(seed: int, kind: str = "serial") -> str:
    """A function with a nest of loops around accesses of small buffers; the outermost loop is of the given kind."""
    return _Writer(random.Random(seed), kind).function()


class _Writer:
    def __init__(self, source: random.Random, kind: str) -> None:
        self.random = source
        self.kind = kind
        self.loops: list[tuple[str, int]] = []
        self.names = 0

    def function(self) -> str:
        pick = self.random.choice
        self.sizes = {"A": pick([6, 8, 12, 16, 24]), "B": pick([8, 16, 20, 32])}
        self.plane = pick([(4, 4), (3, 8), (8, 2)])
        lines = self.loop(self.kind, pick([2, 3, 4, 8]), 2)
        rows, columns = self.plane
        return "\n".join(
            [
                "@T.prim_func",
                f'def main(A: T.Buffer(({self.sizes["A"]},), "int32"), B: T.Buffer(({self.sizes["B"]},), "int32"), '
                f'C: T.Buffer(({rows}, {columns}), "int32")):',
                *[f"    {line}" for line in lines],
                "",
            ]
        )

    def loop(self, kind: str, extent: int, depth: int) -> list[str]:
        self.names += 1
        var = f"i{self.names}"
        first = self.random.choice([0, 0, 0, 1])
        self.loops.append((var, first + extent))
        body: list[str] = []
        for _ in range(self.random.choice([1, 1, 2])):
            body += self.statement(depth - 1)
        self.loops.pop()
        return [f"for {var} in T.{kind}({first}, {first + extent}):", *[f"    {line}" for line in body]]

    def statement(self, depth: int) -> list[str]:
        choice = self.random.random()
        if depth > 0 and choice < 0.5:
            return self.loop("serial", self.random.choice([2, 3, 4]), depth)
        if depth > 0 and choice < 0.65:
            inner = self.statement(depth - 1)
            return [f"if {self.condition()}:", *[f"    {line}" for line in inner]]
        if depth > 0 and choice < 0.75:
            self.names += 1
            name = f"x{self.names}"
            value = self.index(20)
            self.loops.append((name, 8))
            inner = self.statement(0)
            self.loops.pop()
            return [f"with T.LetStmt({value}) as {name}:", *[f"    {line}" for line in inner]]
        return [f"{self.access()} = {self.value()}"]

    def condition(self) -> str:
        return f"{self.index(12)} {self.random.choice(['<', '<=', '>', '=='])} {self.index(12)}"

    def access(self) -> str:
        if self.random.random() < 0.3:
            rows, columns = self.plane
            if self.random.random() < 0.5:
                whole = self.index(rows * columns)
                return f"C[({whole}) // {columns}, ({whole}) % {columns}]"
            return f"C[{self.index(rows)}, {self.index(columns)}]"
        name = self.random.choice("AB")
        return f"{name}[{self.index(self.sizes[name])}]"

    def value(self) -> str:
        choice = self.random.random()
        if choice < 0.25:
            return f"{self.access()} + {self.access()}"
        if choice < 0.4:
            return f"T.if_then_else({self.condition()}, {self.access()}, 0)"
        if choice < 0.7:
            return self.access()
        return str(self.random.randrange(9))

    def index(self, size: int) -> str:
        """An integer expression of the loop variables that is often, but not always, in a range."""
        pick = self.random.choice
        shape = self.random.random()
        used = [var for var, _ in self.loops if self.random.random() < 0.8] or [self.loops[-1][0]]
        if shape < 0.15:
            return f"{pick(used)} % {pick([2, 3, size])}"
        if shape < 0.25:
            return f"({pick(used)} * {pick([2, 4])} + {pick(used)}) // {pick([2, 3])}"
        if shape < 0.32:
            return f"T.min({pick(used)} + {pick([0, 1, 4])}, {size - 1})"
        terms = [f"{var} * {pick([1, 1, 2, 3, 4])}" for var in used]
        offset = pick([0, 0, 0, 1, -1, 2])
        return " + ".join([*terms, str(offset)]) if offset else " + ".join(terms)
