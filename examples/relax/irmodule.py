# type: ignore  # annotations as the page writes them; type checkers take `Annotated[R.Tensor, (784,), "float32"]`
"""A model from its script to its result: operators, kernels, fused kernels, machine code."""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tvmscript import relax
from tvmscript.script import ir as I
from tvmscript.script import relax as R


@I.ir_module
class TVMScriptModule:
    @R.function
    def main(
        x: R.Tensor((1, 784), dtype="float32"),
        fc1_weight: R.Tensor((256, 784), dtype="float32"),
        fc1_bias: R.Tensor((256,), dtype="float32"),
        fc2_weight: R.Tensor((10, 256), dtype="float32"),
        fc2_bias: R.Tensor((10,), dtype="float32"),
    ) -> R.Tensor((1, 10), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            permute_dims = R.permute_dims(fc1_weight, axes=None)
            matmul = R.matmul(x, permute_dims, out_dtype="void")
            add = R.add(matmul, fc1_bias)
            relu = R.nn.relu(add)
            permute_dims1 = R.permute_dims(fc2_weight, axes=None)
            matmul1 = R.matmul(relu, permute_dims1, out_dtype="void")
            add1 = R.add(matmul1, fc2_bias)
            gv = add1
            R.output(gv)
        return gv


rng = np.random.default_rng(0)
shapes = [(256, 784), (256,), (10, 256), (10,)]
params = [rng.random(shape, dtype="float32") - np.float32(0.5) for shape in shapes]
raw_data = rng.random((1, 784), dtype="float32")

mod = TVMScriptModule
mod.show()

mod = relax.transform.LegalizeOps()(mod)
print(mod.get_global_vars())
mod = relax.get_pipeline("zero")(mod)
print(mod.get_global_vars())

ex = relax.build(mod, target="llvm")
dev = tvm.cpu()
vm = relax.VirtualMachine(ex, dev)
data = tvm.nd.array(raw_data, dev)
cpu_out = vm["main"](data, *[tvm.nd.array(param, dev) for param in params]).numpy()
print(cpu_out)

hidden = np.maximum(raw_data @ params[0].T + params[1], 0)
np.testing.assert_allclose(cpu_out, hidden @ params[2].T + params[3], rtol=1e-4)
print("Result matches with NumPy.")
