"""Random traces, replayed by TVM 0.17: how many give the same program, and what differs.

    python -m tests.ir.schedule.compare_with_tvm 0 200 [--only compute_at,fuse] [--steps 12]

Seeds from the first to the second number. With --only, steps are those primitives, and split, fuse and reorder.
"""

from __future__ import annotations

import argparse
import importlib
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import tvmscript
from tests.ir.schedule.scripts import for_oracle
from tvmscript.fuzz.programs.stages import staged_program
from tvmscript.fuzz.schedule.steps import STEPS, random_steps
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.schedule import Schedule

_ORACLE = Path(__file__).parents[4] / "shared" / "oracle"


def replayed(oracle: Any, seed: int, names: tuple[str, ...], count: int) -> tuple[str, str, list[str]]:
    """("equal" | "different" | "refused", what is to be seen, the instructions) for one seed."""
    rng = random.Random(seed)
    text = staged_program(rng.randrange)
    sch = Schedule(tvmscript.from_source(text), seed=seed + 1)
    random_steps(sch, rng.randrange, count, names)
    trace = sch.trace.simplified()
    kinds = [inst.kind.name for inst in trace.insts if not inst.kind.is_pure]
    try:
        answer = oracle.replay(for_oracle(trace), text)
    except Exception as error:  # the class of the oracle's errors is in a file outside
        if type(error).__name__ != "OracleError":
            raise
        return "refused", f"{text}\n{trace}\nTVM: {str(error).splitlines()[-1]}", kinds
    try:
        theirs = tvmscript.from_source(answer, check_well_formed=False)
    except TVMScriptError as error:
        return "different", f"{text}\n{trace}\n{answer}\nTVM's text is not read: {error}", kinds
    if structural_equal(theirs, sch.mod):
        return "equal", "", kinds
    return "different", f"{text}\n{trace}\n{tvmscript.diff(theirs, sch.mod, names=('TVM', 'ours')).text()}", kinds


def main() -> None:
    """Print what differs, and the counts for each primitive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--only", default="")
    parser.add_argument("--steps", type=int, default=12)
    options = parser.parse_args()
    sys.path.insert(0, str(_ORACLE))
    tvm: Any = importlib.import_module("oracle")
    only = {*options.only.split(","), "split", "fuse", "reorder"}
    names = tuple(name for name in STEPS if not options.only or name in only)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("equal", "different", "refused")}
    with tvm.Oracle(timeout=60) as oracle:
        for seed in range(options.first, options.last):
            verdict, what, kinds = replayed(oracle, seed, names, options.steps)
            counts[verdict].update({"programs": 1, **Counter(set(kinds))})
            if what:
                print(f"==== seed {seed}: {verdict}\n{what}\n", flush=True)
    for verdict, counter in counts.items():
        print(verdict, dict(counter.most_common()))


if __name__ == "__main__":
    main()
