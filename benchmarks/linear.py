"""Time per line of programs of 100, 1,000 and 10,000 lines, graphs and schedules too: it should not grow with the size.

python benchmarks/linear.py [--check]        # --check: status 1 where a step takes more than twice as long per line
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import graphs
import schedules
from rich.console import Console
from rich.table import Table

import tvmscript
from tvmscript import relax
from tvmscript.ir import structural_equal, structural_hash
from tvmscript.ir.relax.verify import verify as verify_graph
from tvmscript.ir.tir.var import Var
from tvmscript.ir.tir.verify import verify

SIZES = (100, 1_000, 10_000)
#: How much longer per line the longest program may take than the shortest: caches are colder.
MOST_GROWTH = 2.0


def functions(lines: int) -> str:
    """A module of many small functions."""
    parts = ["@I.ir_module", "class Module:"]
    for number in range(lines // 10):
        parts += [
            "    @T.prim_func",
            f"    def f{number}(A: T.Buffer((128, 128), 'float32'), B: T.Buffer((128,), 'float32')):",
            '        T.func_attr({"tir.noalias": T.bool(True)})',
            "        for i, k in T.grid(128, 128):",
            '            with T.block("sum"):',
            '                vi, vk = T.axis.remap("SR", [i, k])',
            "                with T.init():",
            "                    B[vi] = T.float32(0)",
            "                B[vi] = B[vi] + A[vi, vk] * T.exp(A[vi, vk])",
            "",
        ]
    return "\n".join(parts)


def blocks(lines: int) -> str:
    """One function of many blocks, each with a buffer of its own."""
    parts = ["@T.prim_func", "def f(A: T.Buffer((128,), 'float32')):"]
    count = lines // 5
    parts += [f"    B{number} = T.alloc_buffer((128,), 'float32')" for number in range(count)]
    for number in range(count):
        source = f"B{number - 1}" if number else "A"
        parts += [
            "    for i in range(128):",
            f'        with T.block("b{number}"):',
            "            vi = T.axis.spatial(128, i)",
            f"            B{number}[vi] = {source}[vi] + T.float32(1)",
        ]
    return "\n".join(parts)


def statements(lines: int) -> str:
    """One function of a long row of stores."""
    body = [f"    A[{n % 128}] = A[{(n + 1) % 128}] * T.float32({n}) + A[{n % 7}]" for n in range(lines)]
    return "\n".join(["@T.prim_func", "def f(A: T.Buffer((128,), 'float32')):", *body])


def lowered(lines: int) -> str:
    """One function of loops, branches and views, with the same names again and again."""
    parts = ["@T.prim_func", "def f(A: T.Buffer((128,), 'float32'), n: T.int32):"]
    for _ in range(lines // 5):
        parts += [
            "    for i in range(n):",
            "        with T.LetStmt(i * 2 + n) as x:",
            "            if x < 128 and i % 3 == 0:",
            "                A_1 = T.Buffer((128,), data=A.data)",
            "                A_1[x] = A_1[x] + T.Cast('float32', x // 4 % 8)",
        ]
    return "\n".join(parts)


def allocations(lines: int) -> str:
    """One function in which every second line allocates, one after another in loops."""
    parts = ["@T.prim_func", "def f(A: T.Buffer((128,), 'float32')):"]
    for _ in range(lines // 4):
        parts += [
            "    for i in range(128):",
            '        data = T.allocate([1], "float32", "local")',
            "        local = T.decl_buffer((1,), data=data, scope='local')",
            "        local[0] = A[i]",
        ]
    return "\n".join(parts)


def graph(lines: int) -> str:
    """One graph function of a long row of bindings."""
    return graphs.text(lines)


def scheduled(lines: int) -> str:
    """One function of many blocks, to each of which the steps of a schedule are done."""
    return schedules.module(lines // 5)


PROGRAMS: dict[str, Callable[[int], str]] = {
    make.__name__: make for make in (functions, blocks, statements, lowered, allocations, graph, scheduled)
}


def changed(text: str) -> str:
    """The text with one expression in its middle changed."""
    half = len(text) // 2
    at, old, new = next(
        (at, old, new)
        for old, new in ((" + ", " - "), ("= A[i]", "= A[0]"), ("R.nn.relu", "R.nn.silu"))
        for at in [text.find(old, half)]
        if at >= 0
    )
    return text[:at] + new + text[at + len(old) :]


def steps(text: str) -> dict[str, Callable[[], object]]:
    """What is timed for a text."""
    program, again = tvmscript.from_source(text), tvmscript.from_source(text)
    other = tvmscript.from_source(changed(text))
    is_graph = isinstance(program, relax.Function)
    lines = text.count("\n")
    more = {"BlockBuilder": lambda: graphs.built(relax, Var, relax.TensorStructInfo, lines)} if is_graph else {}
    return {
        **more,
        "parse": lambda: tvmscript.from_source(text),
        "print": program.script,
        "verify": lambda: (verify_graph if is_graph else verify)(program),
        "equal": lambda: structural_equal(program, again),
        "hash": lambda: structural_hash(program),
        "diff": lambda: tvmscript.diff(program, other),
    }


def steps_of_schedule(text: str) -> dict[str, Callable[[], object]]:
    """What is timed for a text that is scheduled."""
    program, count = tvmscript.from_source(text), text.count("axis.remap")
    return {"schedule": lambda: schedules.every_block(tvmscript.Schedule(program), count)}


def cpu_seconds(action: Callable[[], object]) -> float:
    """Processor time of the fastest of several calls: other programs on the machine do not count."""
    fastest, spent, rounds = float("inf"), 0.0, 0
    while rounds < 3 or (spent < 0.3 and rounds < 20):
        start = time.process_time()
        action()
        taken = time.process_time() - start
        fastest, spent, rounds = min(fastest, taken), spent + taken, rounds + 1
    return fastest


def main() -> None:
    """Print microseconds per line, and how they grow."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="fail where the time per line grows")
    options = parser.parse_args()
    table = Table("program", "step", *[f"{size:,} lines" for size in SIZES], "growth", title="microseconds per line")
    grown = False
    for name, make in PROGRAMS.items():
        texts = [make(size) for size in SIZES]
        actions = map(steps_of_schedule if make is scheduled else steps, texts)
        rows = [
            {step: cpu_seconds(run) / (text.count("\n") + 1) * 1e6 for step, run in timed.items()}
            for text, timed in zip(texts, actions, strict=True)
        ]
        for step in rows[0]:
            times = [row[step] for row in rows]
            growth = times[-1] / times[0]
            grown = grown or growth > MOST_GROWTH
            table.add_row(name, step, *[f"{time:.2f}" for time in times], f"{growth:.2f}x")
    Console().print(table)
    if options.check and grown:
        sys.exit("the time per line grows")


if __name__ == "__main__":
    main()
