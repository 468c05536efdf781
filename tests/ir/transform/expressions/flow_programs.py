"""Random programs for passes that follow what elements of buffers are: few values, many stores over stores."""

from __future__ import annotations

import random

#: elements of each buffer
SIZE = 8
_BUFFERS = "ABC"
_HEAD = """@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "int32"), n: T.int32):
"""
Loops = tuple[tuple[str, int], ...]


class FlowPrograms:
    """Writes the program of a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.loops = 0

    def text(self) -> str:
        return _HEAD + "".join(self.statement((), 3, 1) for _ in range(self.random.choice([2, 3, 4])))

    def index(self, loops: Loops) -> str:
        choices = [str(self.random.randrange(SIZE))]
        for var, extent in loops:
            choices.append(var)
            if extent < SIZE:
                choices.append(f"{var} + {self.random.randrange(SIZE - extent + 1)}")
        return self.random.choice(choices)

    def element(self, loops: Loops) -> str:
        return f"{self.random.choice(_BUFFERS)}[{self.index(loops)}]"

    def condition(self, loops: Loops) -> str:
        var, extent = self.random.choice(loops) if loops and self.random.random() < 0.8 else ("n", SIZE)
        limit = self.random.choice([str(self.random.randrange(extent + 1)), "n" if var != "n" else "3"])
        return f"{var} {self.random.choice(['<', '>=', '==', '!=', '>'])} {limit}"

    def value(self, loops: Loops) -> str:
        kind = self.random.random()
        if kind < 0.5:
            return str(self.random.randrange(2))
        if kind < 0.7:
            return self.random.choice([var for var, _ in loops] or ["n"])
        element = self.element(loops)
        return element if kind < 0.85 else f"{element} + {self.random.choice(['0', '1', self.element(loops)])}"

    def statement(self, loops: Loops, depth: int, level: int) -> str:
        kind, indent = self.random.random(), "    " * level
        if kind < 0.45 or depth == 0:
            element = self.element(loops)
            adds = self.random.random() < 0.2
            return f"{indent}{element} = {f'{element} + {self.element(loops)}' if adds else self.value(loops)}\n"
        if kind < 0.7:
            self.loops += 1
            loop = (f"i{self.loops}", self.random.choice([4, 8]))
            return f"{indent}for {loop[0]} in range({loop[1]}):\n" + self.body((*loops, loop), depth - 1, level + 1)
        made = f"{indent}if {self.condition(loops)}:\n" + self.body(loops, depth - 1, level + 1)
        if kind < 0.8:
            made += f"{indent}else:\n" + self.body(loops, depth - 1, level + 1)
        return made

    def body(self, loops: Loops, depth: int, level: int) -> str:
        return "".join(self.statement(loops, depth, level) for _ in range(self.random.choice([1, 1, 2, 3])))
