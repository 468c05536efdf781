"""Random kernels over shared memory: statements, barriers, loops around some of them.

Who touches what is known by running: threads run one interval between barriers after the other, and a race is an
element that one of them writes and another one touches in the same interval.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count
from typing import Final

THREADS = 8
_BARRIER: Final = 'T.tvm_storage_sync("shared")'


@dataclass(frozen=True)
class _Element:
    """An element of S: what a thread and the iterations around it contribute to its index."""

    by_thread: int
    by_loop: dict[str, int]
    base: int

    @property
    def text(self) -> str:
        words = [f"tx * {self.by_thread}" if self.by_thread else ""]
        words += [f"{name} * {factor}" if factor else "" for name, factor in self.by_loop.items()]
        return " + ".join([*filter(None, words), str(self.base)])

    def place(self, thread: int, values: dict[str, int]) -> int:
        return self.by_thread * thread + sum(each * values[name] for name, each in self.by_loop.items()) + self.base


@dataclass(frozen=True)
class _Access:
    is_write: bool
    element: _Element


@dataclass(frozen=True)
class _Loop:
    name: str
    times: int
    body: list[_Part]


#: a loop, the accesses of a statement, or None: a barrier
_Part = _Loop | list[_Access] | None


class Kernel:
    """A kernel as text, and as the accesses that its threads do."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.parts: list[_Part] = []
        self.barriers = 0
        for _ in range(self.random.choice([1, 2, 3])):
            self.parts += self.part("k", [], 0.6)

    def part(self, name: str, around: list[str], loops: float) -> list[_Part]:
        """Statements, in a loop or not."""
        if self.random.random() < loops:
            times = self.random.choice([1, 2, 2, 3])
            self.lines.append(f"{'    ' * len(around)}for {name} in range({times}):")
            inside = [*around, name]
            body = self.statements(inside)
            if not around and self.random.random() < 0.3:
                body += self.part("m", inside, 1.0)
                body += self.statements(inside)
            return [_Loop(name, times, body)]
        return self.statements(around)

    def statements(self, around: list[str]) -> list[_Part]:
        """Accesses and barriers."""
        indent = "    " * len(around)
        statements: list[_Part] = []
        for _ in range(self.random.choice([1, 2, 3, 4])):
            if self.random.random() < 0.5:
                self.lines.append(f"{indent}{_BARRIER}")
                self.barriers += 1
                statements.append(None)
                continue
            write, read = self.element(around), self.element(around)
            kind = self.random.choice(["store", "load", "copy"])
            target = f"S[{write.text}]" if kind != "load" else "B[tx]"
            value = f"S[{read.text}] + 1.0" if kind != "store" else 'A[tx] + T.Cast("float32", tx)'
            self.lines.append(f"{indent}{target} = {value}")
            accesses = [_Access(False, read)] if kind != "store" else []
            statements.append([*accesses, _Access(True, write)] if kind != "load" else accesses)
        return statements

    def element(self, around: list[str]) -> _Element:
        by_thread = self.random.choice([1, 1, 1, -1, 0])
        by_loop = {name: self.random.choice([0, THREADS, 1]) for name in around}
        base = self.random.choice([0, 0, 1, 32]) + (THREADS - 1 if by_thread < 0 else 0)
        return _Element(by_thread, by_loop, base)

    @property
    def text(self) -> str:
        """The kernel."""
        return self.text_with()

    def text_with(self, number: int | None = None, head: str = "") -> str:
        """The kernel, one barrier of which is below a head: a condition, or a loop that may not run."""
        lines, seen = list[str](), 0
        for line in self.lines:
            if _BARRIER in line:
                indent = line.removesuffix(_BARRIER)
                line = f"{indent}{head}\n        {line}" if seen == number else line
                seen += 1
            lines.append(f"    {line}")
        body, size = "\n".join(lines), ", n: T.int32" if head else ""
        return (
            f'@T.prim_func\ndef main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"){size}):\n'
            '    S = T.decl_buffer((96,), scope="shared")\n'
            f'    tx = T.launch_thread("threadIdx.x", {THREADS})\n{body}\n    T.tvm_storage_sync("shared")\n'
        )

    def has_race(self, without: int | None = None) -> bool:
        """Whether two threads collide between two barriers; one of these may be left out."""
        readers: defaultdict[int, set[int]] = defaultdict(set)
        writers: defaultdict[int, set[int]] = defaultdict(set)
        parts = self.parts if without is None else _without(self.parts, count(), without)
        for statement, values in [*_run(parts, {}), (None, {})]:
            if statement is None:
                if any(len(some | readers[element]) > 1 for element, some in writers.items()):
                    return True
                readers.clear()
                writers.clear()
                continue
            for access in statement:
                for thread in range(THREADS):
                    (writers if access.is_write else readers)[access.element.place(thread, values)].add(thread)
        return False


def _without(parts: list[_Part], numbers: Iterator[int], barrier: int) -> list[_Part]:
    """Return parts without one of their barriers, which are numbered in the order of the text."""
    kept: list[_Part] = []
    for part in parts:
        if isinstance(part, _Loop):
            kept.append(replace(part, body=_without(part.body, numbers, barrier)))
        elif part is not None or next(numbers) != barrier:
            kept.append(part)
    return kept


def _run(parts: list[_Part], values: dict[str, int]) -> Iterator[tuple[list[_Access] | None, dict[str, int]]]:
    """Statements and barriers in the order of a run, with the iterations around them."""
    for part in parts:
        if isinstance(part, _Loop):
            for at in range(part.times):
                yield from _run(part.body, {**values, part.name: at})
        else:
            yield part, values
