"""Parse, print, build, run, call, import, graphs, index maps, schedules, lowering: side by side with Apache TVM 0.27.

Both compile for this machine's CPU. Times are CPU times, but those of running kernels.

    pip install -e '.[bench]'
    python benchmarks/run.py                              # TVM in this environment
    python benchmarks/run.py --peer /path/to/python       # TVM in another one

A ratio above 1 means that we are faster.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import graphs
import index_maps
import lowering
import numpy as np
import schedules
import tvm_ffi
from host_target import host_target
from measure import best, best_of_many, import_seconds, run_seconds
from programs import ARGUMENTS, PROGRAMS, for_tvm_027, scheduled
from rich.console import Console
from rich.table import Table

import tvmscript
from tvmscript import arith, relax
from tvmscript.ir.tir.expr import Range
from tvmscript.ir.tir.operators import as_expr
from tvmscript.ir.tir.var import Var
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.pass_record import PassRecord

#: how long the graph function is
BINDINGS = 1_000


def measure_ours() -> dict[str, Any]:
    """The same figures as `peer_tvm.py`, for this package; each build compiles."""
    os.environ["TVMSCRIPT_CACHE"] = "0"
    result: dict[str, Any] = {"version": tvmscript.__version__, "programs": {}}
    for name, text in PROGRAMS.items():
        module = tvmscript.from_source(text)
        result["programs"][name] = {
            "parse": best(lambda text=text: tvmscript.from_source(text)),
            "print": best(lambda module=module: module.script()),
            "build": best(lambda module=module: tvmscript.build(module, target="llvm")),
            "run": run_seconds(tvmscript.build(module, target="llvm").functions, ARGUMENTS[name], tvm_ffi.from_dlpack),
        }
    result["scheduled"] = {
        name: best(lambda module=module: tvmscript.build(module)) for name, module in scheduled().items()
    }
    func = tvmscript.build(tvmscript.from_source(PROGRAMS["add"]))["add"]
    arrays = [np.ones(16, "float32") for _ in range(3)]
    tensors = [tvm_ffi.from_dlpack(array) for array in arrays]
    result["call"] = {
        "NumPy arrays": best_of_many(lambda: func(*arrays)),
        "tensors": best_of_many(lambda: func(*tensors)),
    }
    result["graph"] = measure_graph()
    result["index maps"] = measure_index_maps()
    result["schedules"] = schedules.measure(schedules.programs(), tvmscript.from_source, tvmscript.Schedule)
    result["lowering"] = {
        **lowering.measure(_read(lowering.for_cpu()), tvmscript.lower),
        **lowering.measure(_read(lowering.for_gpu()), lambda module: tvmscript.lower(module, "cuda")),
    }
    result["passes"] = pass_seconds(tvmscript.from_source(lowering.for_cpu()[lowering.SHOWN]))
    result["import"] = import_seconds("tvmscript")
    return result


def _read(texts: dict[str, str]) -> dict[str, Any]:
    return {name: tvmscript.from_source(text) for name, text in texts.items()}


def pass_seconds(program: Any) -> dict[str, float]:
    """Seconds of each pass of `lower`, those of the same name together."""
    record = PassRecord()
    with PassContext(instruments=[record]):
        tvmscript.lower(program)
    seconds: dict[str, float] = {}
    for ran in record.passes:
        seconds[ran.info.name] = seconds.get(ran.info.name, 0.0) + ran.seconds
    return seconds


def measure_graph() -> dict[str, float]:
    """The steps of a long graph function."""
    text = graphs.text(BINDINGS)
    module = tvmscript.from_source(text)
    return {
        "parse": best(lambda: tvmscript.from_source(text)),
        "print": best(lambda: module.script()),
        "BlockBuilder": best(lambda: graphs.built(relax, Var, relax.TensorStructInfo, BINDINGS)),
    }


def measure_index_maps() -> dict[str, float]:
    """What the arithmetic makes of index maps."""
    made = index_maps.index_maps(_index, _domain, index_maps.MAPS)
    return {
        "detect": best(lambda: index_maps.detect(made, arith.detect_iter_map)),
        "simplify": best(lambda: index_maps.simplify(made, arith.Analyzer)),
    }


def _index(name: str) -> Var:
    return Var(name, "int32")


def _domain(extent: int) -> Range:
    return Range.from_min_extent(as_expr(0), as_expr(extent))


def measure_peer(python: str) -> dict[str, Any] | None:
    """TVM's figures, None where that Python has no TVM."""
    if subprocess.run([python, "-c", "import tvm"], capture_output=True, check=False).returncode:
        return None
    given = {
        "programs": {name: for_tvm_027(text) for name, text in PROGRAMS.items()},
        "scheduled": {name: module.script(dialect="0.27") for name, module in scheduled().items()},
        "arguments": ARGUMENTS,
        "target": host_target(),
        "bindings": BINDINGS,
        "lowering": {name: for_tvm_027(text) for name, text in lowering.for_cpu().items()},
        "lowering for CUDA": {name: for_tvm_027(text) for name, text in lowering.for_gpu().items()},
        "shown": lowering.SHOWN,
        "schedules": {name: for_tvm_027(text) for name, text in schedules.programs().items()},
    }
    script = Path(__file__).parent / "peer_tvm.py"
    done = subprocess.run([python, str(script)], input=json.dumps(given), capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"the peer failed:\n{done.stderr}")
    peer: dict[str, Any] = json.loads(done.stdout)
    return peer


def rows(ours: dict[str, Any], peer: dict[str, Any] | None) -> list[tuple[str, float, float | None]]:
    """(what, our seconds, the peer's seconds)."""
    made: list[tuple[str, float, float | None]] = []
    for step in ("parse", "print", "build"):
        for name, times in ours["programs"].items():
            made.append((f"{step} {name}", times[step], peer["programs"][name][step] if peer else None))
    for name, seconds in ours["scheduled"].items():
        made.append((f"build scheduled {name}", seconds, peer["scheduled"][name] if peer else None))
    for name, times in ours["programs"].items():
        for function, seconds in times["run"].items():
            made.append((f"run {function}", seconds, peer["programs"][name]["run"][function] if peer else None))
    for kind, seconds in ours["call"].items():
        made.append((f"call with three {kind}", seconds, peer["call"][kind] if peer else None))
    for step, seconds in ours["graph"].items():
        made.append((f"graph of {BINDINGS:,} bindings: {step}", seconds, peer["graph"][step] if peer else None))
    for step, seconds in ours["index maps"].items():
        what = f"{step} {index_maps.MAPS:,} index maps"
        made.append((what, seconds, peer["index maps"][step] if peer else None))
    for name, seconds in ours["schedules"].items():
        made.append((f"schedule of {name}", seconds, peer["schedules"][name] if peer else None))
    for name, seconds in ours["lowering"].items():
        made.append((name, seconds, peer["lowering"][name] if peer else None))
    made.append(("import", ours["import"], peer["import"] if peer else None))
    return made


def in_words(seconds: float | None) -> str:
    """A time with a unit that suits it."""
    if seconds is None:
        return "-"
    return f"{seconds * 1e3:.2f} ms" if seconds >= 1e-4 else f"{seconds * 1e6:.2f} us"


def main() -> None:
    """Measure both sides and print a table of ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--peer", default=sys.executable, help="Python that has apache-tvm 0.27")
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    peer = measure_peer(options.peer)
    ours = measure_ours()
    title = f"tvmscript {ours['version']}" + (f" and TVM {peer['version']}" if peer else " (no TVM to compare with)")
    table = Table("", "tvmscript", "TVM", "TVM / tvmscript", title=title)
    for what, mine, theirs in rows(ours, peer):
        table.add_row(what, in_words(mine), in_words(theirs), f"{theirs / mine:.1f}x" if theirs and mine else "-")
    Console().print(table)
    passes = Table("", "tvmscript", "TVM", "TVM / tvmscript", title=f"The passes of {lowering.SHOWN}")
    for name, seconds in ours["passes"].items():
        theirs = peer["passes"].get(name) if peer else None
        passes.add_row(name, in_words(seconds), in_words(theirs), f"{theirs / seconds:.1f}x" if theirs else "-")
    Console().print(passes)
    if options.json:
        options.json.write_text(json.dumps({"ours": ours, "peer": peer}, indent=1))


if __name__ == "__main__":
    main()
