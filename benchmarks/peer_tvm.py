"""Times Apache TVM 0.27 in its own process: JSON of programs on stdin, JSON of seconds on stdout."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import tvm
from measure import best, best_of_many, import_seconds
from tvm.script import from_source


def main() -> None:
    """Measure every program, then the call overhead of `add` and the import."""
    programs: dict[str, str] = json.load(sys.stdin)
    result: dict[str, Any] = {"version": tvm.__version__, "programs": {}}
    for name, text in programs.items():
        source = "# from tvm.script import ir as I\n# from tvm.script import tir as T\n" + text
        module = from_source(source)
        result["programs"][name] = {
            "parse": best(lambda source=source: from_source(source)),
            "print": best(lambda module=module: module.script()),
            "build": best(lambda module=module: tvm.compile(module, target="llvm")),
        }
    func = tvm.compile(from_source("# from tvm.script import tir as T\n" + programs["add"]), target="llvm")["add"]
    arrays = [np.ones(16, "float32") for _ in range(3)]
    tensors = [tvm.runtime.tensor(array) for array in arrays]
    result["call"] = {
        "NumPy arrays": best_of_many(lambda: func(*arrays)),
        "tensors": best_of_many(lambda: func(*tensors)),
    }
    result["import"] = import_seconds("tvm")
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
