"""Oracle: real TVM computes the same values. `apache-tvm` runs in this Python or in another one."""

from __future__ import annotations

import functools
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from tvmscript.backends import interp
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import BaseFunc, IRModule
from tvmscript.testing.oracles.errors import NoTVM, OtherValues, RefusedByTVM
from tvmscript.testing.oracles.values import as_module, results
from tvmscript.testing.same_values import public_kernels
from tvmscript.testing.schedule_values import difference

#: run in that Python, which need not have this package: the text in its dialect, a .npz of arguments by kernel and
#: position, the .npz to write of the arrays after the calls
_WORKER: Final = """\
import sys
from pathlib import Path
import numpy as np
import tvm
from tvm.script import ir, relax
try:
    from tvm.script import tirx as tir
    empty, compiled = tvm.runtime.empty, tvm.compile
except ImportError:  # before 0.20 or so
    from tvm.script import tir
    empty, compiled = tvm.nd.empty, tvm.build

program, inputs, outputs = sys.argv[1:]
mod = tvm.script.from_source(Path(program).read_text(), extra_vars={"I": ir, "R": relax, "T": tir, "tvm": tvm})
built = compiled(mod if isinstance(mod, tvm.IRModule) else tvm.IRModule({"main": mod}), target="llvm")
kernels, made = {}, {}
given = np.load(inputs)
for key in given.files:
    value = given[key]
    if value.ndim == 0 and value.dtype.itemsize == 8:
        argument = value.item()
    else:
        argument = empty(value.shape, str(value.dtype))
        argument.copyfrom(value)
    kernels.setdefault(key.rpartition(" ")[0], []).append((key, argument))
for name, arguments in kernels.items():
    built[name](*[argument for _, argument in arguments])
    made |= {key: argument.numpy() for key, argument in arguments if hasattr(argument, "numpy")}
np.savez(outputs, **made)
"""
#: what the name of the language at the tensor level tells of the dialect
_ASK: Final = "import tvm.script\nfrom importlib.util import find_spec\nprint(find_spec('tvm.script.tirx') is not None)"


@functools.cache
def python_with_tvm() -> str:
    """The Python that has `apache-tvm`: the one that TVMSCRIPT_TVM names, or this one. Raises `NoTVM`."""
    named = os.environ.get("TVMSCRIPT_TVM")
    if named is not None and Path(named).exists():
        return named
    if importlib.util.find_spec("tvm") is not None:
        return sys.executable
    raise NoTVM


@functools.cache
def dialect_of(python: str) -> str:
    """The dialect that the TVM of a Python reads. Raises `NoTVM` where it has none."""
    ended = _run(python, _ASK)
    if ended.returncode != 0:
        raise NoTVM
    return "0.27" if ended.stdout.strip().endswith("True") else "0.17"


def _run(python: str, code: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-W", "ignore", "-c", code, *map(str, arguments)], capture_output=True, text=True, check=False,
        env={key: item for key, item in os.environ.items() if not key.startswith(("PYTHON", "COV_"))},
    )  # fmt: skip


def agrees_with_tvm(
    program: IRModule | BaseFunc, *, seed: int = 0, dims: Mapping[str, int] | None = None, python: str | None = None
) -> None:
    """Real TVM reads the text of a program (in its own dialect), compiles it with LLVM, and computes what the reference
    interpreter does, rounding aside.

    `python` is one that has TVM, 0.17 or later; without it, the one that TVMSCRIPT_TVM names, or this one.
    Raises `NoTVM` where none is installed, `RefusedByTVM`, `OtherValues`, and what the interpreter refuses.
    """
    python = python or python_with_tvm()
    dialect = dialect_of(python)
    module = as_module(program)
    expected = results(module, interp.build(module), seed, dims)
    kernels = public_kernels(module)
    with tempfile.TemporaryDirectory(prefix="tvmscript-tvm-") as folder:
        files = [Path(folder) / name for name in ("program.py", "inputs.npz", "outputs.npz")]
        files[0].write_text(module.script(dialect=dialect), "utf-8")
        arrays: dict[str, Any] = {
            f"{name} {at}": np.array(argument.value)
            for name, func in kernels.items()
            for at, argument in enumerate(random_inputs(func, seed, dims))
        }
        np.savez(files[1], **arrays)
        ended = _run(python, _WORKER, *files)
        if ended.returncode != 0:
            reason = ended.stderr.strip() or f"it ended with {ended.returncode}"
            raise RefusedByTVM(function=", ".join(kernels), reason=reason)
        with np.load(files[2]) as archive:
            outputs = {key: np.array(archive[key]) for key in archive.files}
    for name, func in kernels.items():
        after = [outputs.get(f"{name} {at}", value) for at, value in enumerate(expected[name])]
        differs = difference(func, expected[name], after)
        if differs is not None:
            raise OtherValues(way="in real TVM", function=name, **differs)
