"""Times Apache TVM 0.27 in its own process: JSON of programs, shapes and the CPU on stdin, of seconds on stdout."""

from __future__ import annotations

import json
import sys
from typing import Any

import graphs
import index_maps
import numpy as np
import schedules
import tvm
from measure import best, best_of_many, import_seconds, run_seconds
from tvm import relax
from tvm import sym as arith
from tvm.s_tir import Schedule
from tvm.script import from_source
from tvm.tirx import Var


class _Functions(dict[str, Any]):
    """The functions of a compiled module by name."""

    def __init__(self, executable: Any) -> None:
        super().__init__()
        self.executable = executable

    def __missing__(self, name: str) -> Any:
        return self.executable[name]


def main() -> None:
    """Measure every program, then the call overhead of `add` and the import."""
    given = json.load(sys.stdin)
    programs: dict[str, str] = given["programs"]
    target = tvm.target.Target({"kind": "llvm", "mcpu": given["cpu"]})
    result: dict[str, Any] = {"version": tvm.__version__, "programs": {}}
    for name, text in programs.items():
        module = from_source(text)
        result["programs"][name] = {
            "parse": best(lambda text=text: from_source(text)),
            "print": best(lambda module=module: module.script()),
            "build": best(lambda module=module: tvm.compile(module, target=target)),
            "run": run_seconds(
                _Functions(tvm.compile(module, target=target)),
                given["arguments"][name],
                tvm.runtime.tensor,  # its code takes arrays that are aligned to 64 bytes
            ),
        }
    # for the CPU at hand, its code crashes on NumPy arrays that are not aligned to 64 bytes: here for any x86-64
    func = tvm.compile(from_source(programs["add"]), target="llvm")["add"]
    arrays = [np.ones(16, "float32") for _ in range(3)]
    tensors = [tvm.runtime.tensor(array) for array in arrays]
    result["call"] = {
        "NumPy arrays": best_of_many(lambda: func(*arrays)),
        "tensors": best_of_many(lambda: func(*tensors)),
    }
    text = graphs.text(given["bindings"], no_dtype="None")
    module = from_source(text)
    result["graph"] = {
        "parse": best(lambda: from_source(text)),
        "print": best(lambda: module.script()),
        "BlockBuilder": best(lambda: graphs.built(relax, Var, relax.TensorType, given["bindings"])),
    }
    made = index_maps.index_maps(
        lambda name: Var(name, "int32"), lambda extent: tvm.ir.Range(0, extent), index_maps.MAPS
    )
    result["index maps"] = {
        "detect": best(lambda: index_maps.detect(made, arith.detect_iter_map)),
        "simplify": best(lambda: index_maps.simplify(made, arith.Analyzer)),
    }
    result["schedules"] = schedules.measure(given["schedules"], from_source, Schedule)
    result["import"] = import_seconds("tvm")
    json.dump(result, sys.stdout)


def _index(name: str) -> Any:
    return Var(name, "int32")


def _domain(extent: int) -> Any:
    return tvm.ir.Range(0, extent)


if __name__ == "__main__":
    main()
