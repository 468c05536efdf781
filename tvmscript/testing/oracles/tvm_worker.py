# Runs in a Python that has apache-tvm, which need not have this package: python tvm_worker.py PROGRAM INPUTS OUTPUTS.
# PROGRAM is a text of TVM 0.27, INPUTS a .npz of arrays named after kernel and position, numbers as arrays of rank 0.
# What the arrays hold after the calls is written to OUTPUTS, refusals of TVM to standard error.

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import tvm  # pyright: ignore[reportMissingImports]  # of the other Python
from tvm.script import ir, relax, tirx  # pyright: ignore[reportMissingImports]


def main(program: str, inputs: str, outputs: str) -> None:
    mod = tvm.script.from_source(Path(program).read_text(), extra_vars={"I": ir, "R": relax, "T": tirx, "tvm": tvm})
    built = tvm.compile(mod if isinstance(mod, tvm.IRModule) else tvm.IRModule({"main": mod}), target="llvm")
    given = np.load(inputs)
    kernels: dict[str, dict[int, Any]] = {}
    for key in given.files:
        name, _, position = key.rpartition(" ")
        kernels.setdefault(name, {})[int(position)] = given[key]
    made: dict[str, Any] = {}
    for name, values in kernels.items():
        arguments = [_argument(values[position]) for position in range(len(values))]
        built[name](*arguments)
        made |= {f"{name} {at}": arg.numpy() for at, arg in enumerate(arguments) if hasattr(arg, "numpy")}
    np.savez(outputs, **made)


def _argument(value: Any) -> Any:
    if value.ndim == 0 and value.dtype.kind in "ifub" and value.dtype.itemsize == 8:
        return value.item()
    made = tvm.runtime.empty(value.shape, str(value.dtype))
    made.copyfrom(value)
    return made


main(*sys.argv[1:])
