# type: ignore  # annotations as TVMScript writes them
"""Bring your own code generator: products with bias and ReLU run on the BLAS that NumPy brings along.

The pattern finds them, the code generator returns a kernel for each, and the kernel calls `cblas_sgemm`.
"""

from __future__ import annotations

import ctypes
import glob
import os

import numpy as np

import tvmscript as tvm
from tvmscript import relax
from tvmscript.relax.dpl import make_fused_bias_activation_pattern
from tvmscript.script import ir as I
from tvmscript.script import relax as R
from tvmscript.script import tir as T

# the C functions of a library that is loaded like this can be called by name
(library,) = glob.glob(os.path.join(os.path.dirname(np.__file__), os.pardir, "numpy.libs", "lib*openblas*"))[:1]
blas = ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
SGEMM, INT = next(
    (name, "int64" if name.endswith("64_") else "int32")
    for name in ("scipy_cblas_sgemm64_", "scipy_cblas_sgemm", "cblas_sgemm64_", "cblas_sgemm")
    if hasattr(blas, name)
)
ROW_MAJOR, NO_TRANSPOSE = 101, 111


@tvm.register_func("relax.ext.blas", override=True)
def blas_codegen(functions, options, constant_names):
    """Return a kernel for each function."""
    return [kernel_of(func) for func in functions]


def kernel_of(func):
    """Return the kernel of x @ w, x @ w + b or relu(x @ w + b)."""
    composite = func.body.blocks[0].bindings[0].value
    has_relu = "relu" in composite.attrs["Composite"]
    x, w, *bias = [[int(size) for size in param.struct_info.shape] for param in func.params]
    (m, k), n = x, w[1]
    size = [T.IntImm(INT, value) for value in (m, n, k)]

    @T.prim_func
    def product(X: T.Buffer((m, k), "float32"), W: T.Buffer((k, n), "float32"), Y: T.Buffer((m, n), "float32")):
        T.call_extern(
            "void", SGEMM, ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, size[0], size[1], size[2], T.float32(1),
            X.data, size[2], W.data, size[1], T.float32(0), Y.data, size[1],
        )  # fmt: skip

    @T.prim_func
    def dense(
        X: T.Buffer((m, k), "float32"),
        W: T.Buffer((k, n), "float32"),
        B: T.Buffer((n,), "float32"),
        Y: T.Buffer((m, n), "float32"),
    ):
        T.call_extern(
            "void", SGEMM, ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, size[0], size[1], size[2], T.float32(1),
            X.data, size[2], W.data, size[1], T.float32(0), Y.data, size[1],
        )  # fmt: skip
        for i, j in T.grid(m, n):
            Y[i, j] = T.max(Y[i, j] + B[j], T.float32(0)) if has_relu else Y[i, j] + B[j]

    return dense if bias else product


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((64, 784), "float32"),
        w1: R.Tensor((784, 256), "float32"),
        b1: R.Tensor((256,), "float32"),
        w2: R.Tensor((256, 10), "float32"),
        b2: R.Tensor((10,), "float32"),
    ):
        with R.dataflow():
            h = R.nn.relu(R.add(R.matmul(x, w1), b1))
            y = R.nn.softmax(R.add(R.matmul(h, w2), b2))
            R.output(y)
        return y


patterns = [
    ("blas.matmul_bias_relu", make_fused_bias_activation_pattern("relax.matmul", True, "relax.nn.relu")),
    ("blas.matmul_bias", make_fused_bias_activation_pattern("relax.matmul", True)),
    ("blas.matmul", make_fused_bias_activation_pattern("relax.matmul")),
]
mod = relax.transform.FuseOpsByPattern(patterns, bind_constants=False, annotate_codegen=True)(Module)
mod = relax.transform.RunCodegen()(mod)
mod.show()

executable = relax.build(mod, target="llvm")
print(executable.stats())
vm = relax.VirtualMachine(executable, tvm.cpu())

rng = np.random.default_rng(0)
args = [
    rng.normal(size=[int(size) for size in param.struct_info.shape]).astype("float32")
    for param in Module["main"].params
]
result = vm["main"](*args).numpy()

x, w1, b1, w2, b2 = args
logits = np.maximum(x @ w1 + b1, 0) @ w2 + b2
expected = np.exp(logits - logits.max(axis=1, keepdims=True))
np.testing.assert_allclose(result, expected / expected.sum(axis=1, keepdims=True), rtol=1e-4, atol=1e-5)
print("Result matches with NumPy.")
