"""Random programs that run: each writer returns the text of a function, from a seed or a `random.Random`.

Programs drawn with `hypothesis.strategies.randoms(use_true_random=False)` shrink.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

#: the source of a writer's choices
Seed = int | random.Random


def choices(seed: Seed) -> random.Random:
    """The random generator of a seed."""
    return seed if isinstance(seed, random.Random) else random.Random(seed)


class RandomWriter:
    """A writer that draws its choices from a seed and numbers its names."""

    def __init__(self, seed: Seed) -> None:
        self.random = choices(seed)
        self.names = 0

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def name(self, prefix: str) -> str:
        """A name that the program does not use yet."""
        self.names += 1
        return f"{prefix}{self.names}"


def indented(lines: Iterable[str]) -> list[str]:
    """The lines, one level further in."""
    return ["    " + line for line in lines]


def nested(heads: Iterable[str], body: list[str]) -> list[str]:
    """The lines under the heads of compound statements, outermost first."""
    for head in reversed(list(heads)):
        body = [head, *indented(body)]
    return body


def function_text(params: Iterable[str], lines: Iterable[str]) -> str:
    """The text of a kernel `main`."""
    return "\n".join(["@T.prim_func", f"def main({', '.join(params)}):", *indented(lines)])
