"""Single passes on programs of 1,000 loops or blocks, beside Apache TVM 0.27, the two sides in turn.

    python benchmarks/passes.py --peer /path/to/python [--count 1000] [--rounds 5] [NAME ...]

A ratio above 1 is how many times longer ours takes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import long_programs as programs
from programs import for_tvm_027
from rich.console import Console
from rich.table import Table

import tvmscript
from tvmscript.ir.transform.registry import get_pass


@dataclass(frozen=True)
class Case:
    """A pass on a kind of program."""

    name: str
    text: Callable[[int], str]
    args: tuple[Any, ...] = ()
    #: passes that both sides run first, unmeasured
    before: tuple[str, ...] = ()


_TO_OPAQUE = ("LowerInitBlock", "PlanAndUpdateBufferAllocationLocation", "ConvertBlocksToOpaque")
_TO_COMPACT = (*_TO_OPAQUE, "CompactBufferAllocation", "LowerMatchBuffer")
_TO_LOOPS = (*_TO_COMPACT, "LowerOpaqueBlock")

CASES = (
    Case("LowerCrossThreadReduction", programs.blocks_on_threads),
    Case("PlanAndUpdateBufferAllocationLocation", programs.blocks),
    Case("ConvertBlocksToOpaque", programs.blocks, (), _TO_OPAQUE[:2]),
    Case("LiftThreadBinding", programs.blocks_on_threads, (), _TO_OPAQUE),
    Case("CompactBufferAllocation", programs.blocks, (), _TO_OPAQUE),
    Case("UnifyThreadBinding", programs.blocks_on_threads, (), _TO_OPAQUE),
    Case("LowerMatchBuffer", programs.blocks, (), _TO_COMPACT[:-1]),
    Case("LowerOpaqueBlock", programs.blocks, (), _TO_COMPACT),
    Case("FlattenBuffer", programs.blocks, (), _TO_LOOPS),
    Case("InjectSoftwarePipeline", programs.pipelines),
    Case("Simplify", programs.conditions),
    Case("RemoveNoOp", programs.conditions),
    Case("HoistIfThenElse", programs.conditions),
    Case("LoopPartition", programs.conditions),
    Case("RenormalizeSplitPattern", programs.conditions),
    Case("RewriteUnsafeSelect", programs.conditions),
    Case("CommonSubexprElimTIR", programs.conditions),
    Case("UnrollLoop", programs.unrolled_loops),
    Case("VectorizeLoop", programs.vectorized_loops),
    Case("StorageRewrite", programs.memories),
    Case("StorageRewrite", programs.loops),
    Case("MergeSharedMemoryAllocations", programs.shared_memories),
    Case("InjectVirtualThread", programs.virtual_threads),
    Case("InjectDoubleBuffer", programs.double_buffers),
    Case("PointerValueTypeRewrite", programs.vectors),
    Case("NarrowDataType", partial(programs.divisions, index="T.int64"), (32,)),
    Case("ForceNarrowIndexToInt32", partial(programs.divisions, index="T.int64")),
    Case("BF16ComputeLegalize", partial(programs.divisions, value="bfloat16")),
    Case("LowerIntrin", programs.divisions),
    Case("InstrumentProfileIntrinsics", programs.divisions),
)


class Peer:
    """Apache TVM in a process of its own, that times one pass after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.requests, self.answers = process.stdin, process.stdout

    def ask(self, **request: Any) -> Any:
        """Its answer to a request, which `peer_passes.py` describes."""
        self.requests.write(json.dumps(request) + "\n")
        self.requests.flush()
        answer = self.answers.readline()
        if not answer:
            sys.exit("the peer has failed")
        return json.loads(answer)


@contextmanager
def peer(python: str) -> Generator[Peer, None, None]:
    """TVM in that Python."""
    script = Path(__file__).parent / "peer_passes.py"
    with subprocess.Popen(
        [python, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:  # fmt: skip
        yield Peer(process)


def seconds(case: Case, other: Peer, count: int, rounds: int) -> tuple[float, float | None]:
    """Our CPU seconds and TVM's: the fastest of some rounds, in turn; None where its pass fails."""
    program = tvmscript.from_source(case.text(count), check_well_formed=False)
    other.ask(text=for_tvm_027(case.text(count)), before=case.before)
    for each in case.before:
        program = get_pass(f"tir.{each}")(program)
    measured = get_pass(f"tir.{case.name}", *case.args)
    ours, theirs = float("inf"), None
    for _ in range(rounds):
        fresh = _copied(program)
        start = time.process_time()
        measured(fresh)
        ours = min(ours, time.process_time() - start)
        answer: float | None = other.ask(name=case.name, args=case.args)
        theirs = answer if theirs is None or answer is None else min(theirs, answer)
    return ours, theirs


def _copied(program: Any) -> Any:
    """Another function of the same statements: nothing is remembered of it."""
    return program.replace()


def main() -> None:
    """Print a table of the passes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("names", nargs="*", help="passes, all if none is named")
    parser.add_argument("--peer", default=sys.executable, help="Python that has apache-tvm 0.27")
    parser.add_argument("--count", type=int, default=1_000, help="how many loops or blocks the programs have")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    table = Table("", "program", "tvmscript", "TVM", "tvmscript / TVM", title=f"{options.count:,} loops or blocks")
    with peer(options.peer) as other:
        for case in CASES:
            if options.names and case.name not in options.names:
                continue
            ours, theirs = seconds(case, other, options.count, options.rounds)
            program = getattr(case.text, "__name__", "divisions")
            peers = (f"{theirs * 1e3:.1f} ms", f"{ours / theirs:.1f}x") if theirs else ("fails", "-")
            table.add_row(case.name, program, f"{ours * 1e3:.1f} ms", *peers)
    Console().print(table)


if __name__ == "__main__":
    main()
