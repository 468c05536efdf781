# type: ignore  # annotations as TVMScript writes them
"""Bring your own code generator: attention runs in a Python function over NumPy arrays.

The compiled graph calls the function once for each attention; it writes its result into memory that the graph planned.
"""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tvmscript import relax
from tvmscript.relax.dpl import is_op, wildcard
from tvmscript.script import ir as I
from tvmscript.script import relax as R


@tvm.register_func("relax.ext.numpy", override=True)
def numpy_codegen(functions, options, constant_names):
    """Return a Python function for each function."""
    return [attention for _ in functions]


def attention(query, key, value, output):
    """Write softmax(q k^T / sqrt(d)) v for tensors of the shape (batch, rows, heads, d)."""
    q, k, v, out = (np.from_dlpack(tensor) for tensor in (query, key, value, output))
    scores = np.einsum("bqhd,bkhd->bhqk", q, k) / np.float32(np.sqrt(q.shape[-1]))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    np.einsum("bhqk,bkhd->bqhd", weights, v, out=out)


@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((2, 16, 4, 32), "float32"),
        k: R.Tensor((2, 24, 4, 32), "float32"),
        v: R.Tensor((2, 24, 4, 32), "float32"),
    ):
        with R.dataflow():
            q = R.multiply(x, R.const(0.5, "float32"))
            attended = R.nn.attention(q, k, v)
            y = R.add(x, attended)
            R.output(y)
        return y


# the pass gives each match a function; `check` may refuse matches, here those of other dtypes
def is_float32(context):
    return context.matched_expr.struct_info.dtype == "float32"


pattern = is_op("relax.nn.attention")(wildcard(), wildcard(), wildcard())
patterns = [relax.transform.FusionPattern("numpy.attention", pattern, check=is_float32)]
mod = tvm.transform.Sequential(
    [
        relax.transform.FuseOpsByPattern(patterns),
        relax.transform.MergeCompositeFunctions(),
        relax.transform.RunCodegen(),
    ]
)(Module)
mod.show()

executable = relax.build(mod, target="llvm")
print(executable.stats())
vm = relax.VirtualMachine(executable, tvm.cpu())

rng = np.random.default_rng(0)
x, k, v = (rng.normal(size=shape).astype("float32") for shape in ((2, 16, 4, 32), (2, 24, 4, 32), (2, 24, 4, 32)))
result = vm["main"](x, k, v).numpy()

reference = relax.VirtualMachine(relax.build(Module, target="llvm"), tvm.cpu())["main"](x, k, v).numpy()
np.testing.assert_allclose(result, reference, rtol=1e-4, atol=1e-5)
print("Result matches the kernels of tvmscript.")
