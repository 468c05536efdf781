"""Models: latency, time of builds, planned memory, time between kernels; beside torch and TVM 0.27, taking turns.

Builds have their CPU time and the time on the clock, which LLVM shares on a second processor. Ratios are those of
medians, the peer's to ours: above 1 we are ahead. The first of two times is the least. torch.compile builds once,
without its caches.

python -m benchmarks models                                        # peers in this environment
python -m benchmarks models --peer /path/to/python --peer /another # peers in others
python -m benchmarks imported_models                              # models that come from torch
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import median

from host_target import host_target
from model_programs import MODELS
from our_models import CHAIN, KERNELS
from rich.console import Console
from rich.table import Table
from turns import Side, Times, check_sums, take_turns

OURS = "tvmscript"
#: sides of the package of a peer
PEERS = {"tvm": ("tvm",), "torch": ("torch", "torch.compile")}
#: titles of lists of seconds, and what they are printed in
COLUMNS = (("latency, ms", "latencies", 1e3), ("build, s", "clock", 1.0), ("its CPU time, s", "cpu", 1.0))


def start_sides(pythons: Iterable[str]) -> list[Side]:
    """Start processes of this package, and of the peers in the first Python that has them."""
    folder = Path(__file__).parent
    sides = [Side(OURS, [sys.executable, str(folder / "our_models.py")])]
    lacking = dict(PEERS)
    for python in pythons:
        for package in list(lacking):
            if subprocess.run([python, "-c", f"import {package}"], capture_output=True, check=False).returncode == 0:
                script = [python, str(folder / "peer_models.py")]
                sides += [Side(name, [*script, name, host_target()]) for name in lacking.pop(package)]
    return sides


def rows(model: str, times: dict[str, Times]) -> Iterator[list[str]]:
    """The rows of a model, one for each side."""
    for name, each in times.items():
        row = [model if name == OURS else "", name]
        for _, key, scale in COLUMNS:
            seconds, ours = getattr(each, key), getattr(times[OURS], key)
            if seconds:
                row += [f"{value * scale:.3f}" for value in (min(seconds), median(seconds))]
                row.append("" if name == OURS else f"{median(seconds) / median(ours):.2f}")
            else:
                row += ["-", "-", "-"]
        bound = each.figures.get("bound")
        yield [*row, f"{each.figures['planned'] / bound:.3f}" if bound else "-"]


def main() -> None:
    """Measure all sides and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("models", nargs="*", help=f"of {', '.join(MODELS)} (all)")
    parser.add_argument("--peer", action="append", help="Python that has torch or apache-tvm 0.27")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each side (7)")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    os.environ["TVMSCRIPT_CACHE"] = "0"
    sides = start_sides(options.peer or [sys.executable])
    columns = (column for title, *_ in COLUMNS for column in (title, "median", "ratio"))
    table = Table("", "", *columns, "planned / bound")
    figures: dict[str, dict[str, Times]] = {}
    for model in options.models or MODELS:
        figures[model] = take_turns(sides, model, options.rounds)
        check_sums(figures[model], model)
        for row in rows(model, figures[model]):
            table.add_row(*row)
        table.add_section()
    figures[CHAIN] = take_turns(sides[:1], CHAIN, options.rounds)
    for side in sides:
        side.close()
    Console(width=140).print(table)
    between = [seconds / KERNELS * 1e6 for seconds in figures[CHAIN][OURS].latencies]
    print(f"a kernel of one element, its call included: {min(between):.3f} us at least, median {median(between):.3f}")
    if options.json:
        found = {model: {name: asdict(each) for name, each in times.items()} for model, times in figures.items()}
        options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
