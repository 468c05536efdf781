"""Times Apache TVM 0.27 in its own process: JSON of programs, shapes and the CPU on stdin, of seconds on stdout."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

import graphs
import index_maps
import lowering
import numpy as np
import schedules
import tvm
from measure import best, best_of_many, import_seconds, run_seconds
from tvm import relax
from tvm import sym as arith
from tvm.ir.instrument import PassTimingInstrument
from tvm.s_tir import Schedule
from tvm.s_tir.pipeline import default_s_tir_pipeline
from tvm.script import from_source
from tvm.tirx import Var
from tvm.tirx.transform import BindTarget


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
    target = tvm.target.Target(json.loads(given["target"]))
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
    scheduled = {name: from_source(text) for name, text in given["scheduled"].items()}
    result["scheduled"] = {
        name: best(lambda module=module: tvm.compile(module, target=target)) for name, module in scheduled.items()
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
    result["lowering"] = {
        **lowering.measure({name: _bound(text, {"kind": "llvm"}) for name, text in given["lowering"].items()}, _lower),
        **lowering.measure(
            {name: _bound(text, _CUDA) for name, text in given["lowering for CUDA"].items()}, _lower_all
        ),
    }
    result["passes"] = _pass_seconds(_bound(given["lowering"][given["shown"]], {"kind": "llvm"}))
    result["import"] = import_seconds("tvm")
    json.dump(result, sys.stdout)


_CUDA = {"kind": "cuda", "arch": "sm_80"}


def _bound(text: str, target: dict[str, str]) -> Any:
    """A program as a module for a target."""
    made = from_source(text)
    module = made if isinstance(made, tvm.IRModule) else tvm.IRModule({"main": made.with_attr("global_symbol", "main")})
    return BindTarget(tvm.target.Target(target, host={"kind": "llvm"}))(module)


def _lower(module: Any) -> Any:
    """What its pipeline makes of a program for a CPU: a packed function."""
    return default_s_tir_pipeline()[0](module)


def _lower_all(module: Any) -> Any:
    """The same for a device, and the passes that finish the host's functions and the kernels."""
    pipeline, finish_host, finish_device = default_s_tir_pipeline()
    made = pipeline(module)
    return finish_host()(made), finish_device()(made)


def _pass_seconds(module: Any) -> dict[str, float]:
    """Seconds of each pass out of the report of TVM's instrument; its two spaces of names are one here."""
    timing = PassTimingInstrument()
    with tvm.transform.PassContext(instruments=[timing]):
        _lower(module)
        report: str = timing.render()
    seconds: dict[str, float] = {}
    for depth, name, micro in re.findall(r"^(\t*)([\w.]+): (\d+)us", report, re.MULTILINE):
        if len(depth) == 2:  # inside of the pipeline, which is a sequence
            known = _NAMES.get(leaf := name.rpartition(".")[2], leaf)
            seconds[f"tir.{known}"] = seconds.get(f"tir.{known}", 0.0) + int(micro) * 1e-6
    return seconds


#: passes that had other names in 0.17
_NAMES = {"StmtSimplify": "Simplify", "CommonSubexprElim": "CommonSubexprElimTIR"}


def _index(name: str) -> Any:
    return Var(name, "int32")


def _domain(extent: int) -> Any:
    return tvm.ir.Range(0, extent)


if __name__ == "__main__":
    main()
