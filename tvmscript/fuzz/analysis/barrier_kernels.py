"""Random kernels over shared memory: statements, barriers, a loop around some of them.

Who touches what is known by running: threads run one interval between barriers after the other, and a race is an
element that one of them writes and another one touches in the same interval.
"""

from __future__ import annotations

import random
from collections import defaultdict

THREADS = 8


class Kernel:
    """A kernel as text, and as the accesses that its threads do."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        #: (loop or None, statements): a statement is a barrier or accesses of S, as functions of thread and iteration
        self.parts: list[tuple[int, list[object]]] = []
        for _ in range(self.random.choice([1, 2, 3])):
            self.part()

    def part(self) -> None:
        """Statements, in a loop or not."""
        times = self.random.choice([0, 0, 2, 3])
        if times:
            self.lines.append(f"for k in range({times}):")
        indent = "    " if times else ""
        made: list[object] = []
        for _ in range(self.random.choice([1, 2, 3, 4])):
            if self.random.random() < 0.4:
                self.lines.append(f'{indent}T.tvm_storage_sync("shared")')
                made.append("barrier")
                continue
            write, read = self.index(times), self.index(times)
            kind = self.random.choice(["store", "load", "copy"])
            target = f"S[{write[0]}]" if kind != "load" else "B[tx]"
            value = f"S[{read[0]}] + 1.0" if kind != "store" else 'A[tx] + T.Cast("float32", tx)'
            self.lines.append(f"{indent}{target} = {value}")
            made.append([*([(False, read)] if kind != "store" else []), *([(True, write)] if kind != "load" else [])])
        self.parts.append((times, made))

    def index(self, times: int) -> tuple[str, int, int, int]:
        """An element of S: factors of the thread and of the iteration, and what is added."""
        by_thread = self.random.choice([1, 1, 1, -1, 0])
        by_loop = self.random.choice([0, THREADS, 1]) if times else 0
        base = self.random.choice([0, 0, 1, 32]) + (THREADS - 1 if by_thread < 0 else 0)
        words = [f"tx * {by_thread}" if by_thread else "", f"k * {by_loop}" if by_loop else "", str(base)]
        return " + ".join(word for word in words if word), by_thread, by_loop, base

    @property
    def text(self) -> str:
        """The kernel."""
        body = "\n".join(f"    {line}" for line in self.lines)
        return (
            '@T.prim_func\ndef main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):\n'
            '    S = T.decl_buffer((96,), scope="shared")\n'
            f'    tx = T.launch_thread("threadIdx.x", {THREADS})\n{body}\n    T.tvm_storage_sync("shared")\n'
        )

    def has_race(self) -> bool:
        """Whether two threads collide between two barriers."""
        readers: defaultdict[int, set[int]] = defaultdict(set)
        writers: defaultdict[int, set[int]] = defaultdict(set)

        def collide() -> bool:
            found = any(len(some | readers[element]) > 1 for element, some in writers.items())
            readers.clear()
            writers.clear()
            return found

        for times, statements in self.parts:
            for k in range(times or 1):
                for statement in statements:
                    if not isinstance(statement, list):
                        if collide():
                            return True
                        continue
                    for is_write, (_, by_thread, by_loop, base) in statement:
                        for thread in range(THREADS):
                            element = by_thread * thread + by_loop * k + base
                            (writers if is_write else readers)[element].add(thread)
        return collide()
