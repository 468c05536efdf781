"""What must work right after `pip install`: run by hand and by `.ci/run`, outside of the repository."""

from __future__ import annotations

import importlib.metadata
import sys

import tvmscript

LOADED = set(sys.modules)

import numpy as np  # noqa: E402 -- after the list was taken: importing tvmscript alone loads no NumPy

TEXT = """
@T.prim_func
def scale(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    for i in T.vectorized(8):
        B[i] = T.exp(A[i]) * T.float32(2)
"""

assert not {"numpy", "llvmlite", "rich", "pygments", "tvm_ffi"} & LOADED, "importing tvmscript must stay light"
program = tvmscript.from_source(TEXT)
assert tvmscript.ir.structural_equal(program, tvmscript.from_source(program.script()))
for target in ("llvm", "interp"):
    a, b = np.linspace(-1, 1, 8, dtype="float32"), np.zeros(8, "float32")
    tvmscript.build(program, target=target)["scale"](a, b)
    np.testing.assert_allclose(b, np.exp(a) * 2, rtol=1e-6)
files = [str(path) for path in importlib.metadata.files("tvmscript") or []]
WANTED = (
    "tvmscript/ir/tir/expr.py", "tvmscript/backends/llvm/__init__.py", "tvmscript/py.typed",
    *(f"tvmscript/language/{stub}.pyi" for stub in ("I", "T", "TIRX", "kernel_types")),
)  # fmt: skip
for wanted in WANTED:
    assert wanted in files, f"{wanted} is missing in the wheel"
assert not [path for path in files if path.startswith(("ir/", "backends/", "tests/"))], "stray top-level packages"
print("smoke test passed")
