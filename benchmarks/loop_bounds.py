"""What bounds plain kernels: cycles of the units of a processor that their loops need, from the assembly.

    python -m benchmarks loop_bounds [WORD ...]      # kernels whose name contains a word

A loop is the code from a label to the last jump back to it that contains no other loop. The unit that is busy for the
longest time bounds it, or the longest chain of operations from an iteration to the next one. Of a kernel, the loop with
the most results of FMA in registers, then with the most vector operations and accesses is shown. Throughputs and
latencies are those of Zen 4 for vectors of 256 bits: AMD, Software Optimization Guide for the Zen 4 Microarchitecture
(57647), and measurements of https://uops.info. Caches are left out: `python -m benchmarks default_schedules` says what
share of a copy is reached.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.table import Table

import tvmscript

#: units, and how many of their operations a cycle can begin
UNITS: Final = {"FMA": 2.0, "add": 2.0, "shuffle": 2.0, "load": 2.0, "store": 1.0, "divide": 0.2, "dispatch": 6.0}
#: instructions by what they begin with, and their unit
_UNITS_OF: Final = (
    (r"vfn?m(add|sub)|vmul[ps][sd]", "FMA"),
    (r"vdiv|vsqrt", "divide"),
    (r"v(add|sub|max|min|cmp)[ps][sd]|vround|vcvt", "add"),
    (r"v(broadcast|perm|shuf|unpck|insert|extract|blend|punpck|pshuf|palign)", "shuffle"),
)
#: cycles until a result can be used
_LATENCIES: Final = {"FMA": 4, "add": 3, "divide": 11, "shuffle": 2}
_LABEL: Final = re.compile(r"^(\.L\w+):")
_JUMP: Final = re.compile(r"^\tj\w+\t(\.L\w+)$")


@dataclass(frozen=True)
class Loop:
    """The instructions of an innermost loop."""

    instructions: tuple[str, ...]

    @property
    def cycles(self) -> dict[str, float]:
        """The cycles of an iteration that each unit needs, and the longest chain to the next iteration."""
        counts = Counter[str]({"dispatch": len(self.instructions)})
        for instruction in self.instructions:
            counts.update(_units(instruction))
        cycles = {unit: counts[unit] / rate for unit, rate in UNITS.items() if counts[unit]}
        return {**cycles, "latency": float(self._chain())}

    @property
    def work(self) -> tuple[int, int]:
        """How many registers have results of FMA, and how many instructions need units beside dispatch."""
        units = {each: [*_units(each)] for each in self.instructions}
        targets = {_vectors(each)[-1] for each, needed in units.items() if "FMA" in needed}
        return len(targets), sum(bool(needed) for needed in units.values())

    def _chain(self) -> int:
        """Return the cycles of the longest chain of vector operations from an iteration to the next one."""
        ready = dict.fromkeys(_vectors(" ".join(self.instructions)), 0)
        chains: list[int] = []
        for start in ready:
            times: dict[str, int] = {start: 0}
            for instruction in self.instructions:
                *sources, target = _vectors(instruction) or [""]
                if instruction.endswith(")"):
                    continue  # a store
                if sources == [target] * 2 and re.match("vp?xor|vp?cmpeq", instruction):
                    sources = []  # a constant
                reads = [
                    times[each] for each in (*sources, *([target] if "vfm" in instruction else [])) if each in times
                ]
                if reads:
                    unit = next((unit for unit in _units(instruction) if unit in _LATENCIES), None)
                    times[target] = max(reads) + (_LATENCIES[unit] if unit else 1)
                else:
                    times.pop(target, None)
            chains.append(times.get(start, 0))
        return max(chains, default=0)


def _units(instruction: str) -> Iterator[str]:
    """Yield the units that an instruction needs."""
    operation, _, operands = instruction.partition("\t")
    if "(" in operands and not operation.startswith("lea"):
        yield "store" if "mov" in operation and operands.rstrip().endswith(")") else "load"
    if not (operation.startswith("vbroadcast") and "(" in operands):
        yield from [unit for pattern, unit in _UNITS_OF if re.match(pattern, operation)][:1]


def _vectors(text: str) -> list[str]:
    return re.findall(r"%[xyz]mm\d+", text.replace("%xmm", "%ymm"))


def innermost_loops(assembly: str) -> list[Loop]:
    """Return the innermost loops of a function's assembly."""
    labels: dict[str, int] = {}
    lines = assembly.splitlines()
    spans: list[tuple[int, int]] = []
    for place, line in enumerate(lines):
        if found := _LABEL.match(line):
            labels[found[1]] = place
        elif (found := _JUMP.match(line)) and found[1] in labels:
            spans.append((labels[found[1]], place))
    innermost = [
        (begin, end)
        for begin, end in spans
        if not any(begin <= low and high <= end and (low, high) != (begin, end) for low, high in spans)
    ]
    return [
        Loop(tuple(line.strip() for line in lines[begin : end + 1] if re.match(r"\t[a-z]", line)))
        for begin, end in innermost
    ]


def main(words: list[str]) -> None:
    """Print what bounds the kernels."""
    import default_schedules
    import plain_kernels

    kernels = {f"product {shape}": default_schedules.text_of(shape) for shape in default_schedules.FIXED}
    kernels |= {each.name: each.text for kind in plain_kernels.FIXED.values() for each in kind}
    table = Table("kernel", "bound by", "cycles", "next", "cycles", "instructions")
    for name, text in kernels.items():
        if words and not any(word in name for word in words):
            continue
        library = tvmscript.build(tvmscript.from_source(text))
        loop = max(innermost_loops(library.get_source("asm")), key=lambda each: each.work)
        (first, most), (second, less), *_ = sorted(loop.cycles.items(), key=lambda each: -each[1])
        table.add_row(name, first, f"{most:.1f}", second, f"{less:.1f}", str(len(loop.instructions)))
    Console(width=120).print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
