# type: ignore  # annotations as the page writes them; type checkers take `Annotated[R.Tensor, (784,), "float32"]`
# ruff: noqa: E402, I001, RET504  # the page's statements in the page's order
"""The tutorial about IRModule, from top to bottom: models of torch, of nn and as scripts; passes; machine code.

The statements are the page's, with `tvmscript` for `tvm` in imports; those about GPUs run where there is one.
`mod.show(float_points=True)` prints floats as the page's TVM, `T.float32(0.0)`.
"""

from __future__ import annotations

import os

os.environ["PATH"] += ":/usr/local/cuda/bin"  # where nvcc is
import numpy as np
import tvmscript as tvm
from tvmscript import relax

# ---- import from existing models

import torch
from torch import fx, nn
from tvmscript.relax.frontend.torch import from_fx


# Create a dummy model
class TorchModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 256)
        self.relu1 = nn.ReLU()
        self.fc2 = nn.Linear(256, 10)

    def forward(self, x):
        x = self.fc1(x)
        x = self.relu1(x)
        x = self.fc2(x)
        return x


# Give the input shape and data type
input_info = [((1, 784), "float32")]
# Convert the model to IRModule
with torch.no_grad():
    torch_fx_model = fx.symbolic_trace(TorchModel())
    mod_from_torch = from_fx(torch_fx_model, input_info, keep_params_as_input=True)
mod_from_torch, params_from_torch = relax.frontend.detach_params(mod_from_torch)
# Print the IRModule
mod_from_torch.show()

# ---- write with modules of nn

from tvmscript.relax.frontend import nn


class RelaxModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(784, 256)
        self.relu1 = nn.ReLU()
        self.fc2 = nn.Linear(256, 10)

    def forward(self, x):
        x = self.fc1(x)
        x = self.relu1(x)
        x = self.fc2(x)
        return x


mod_from_relax, params_from_relax = RelaxModel().export_tvm({"forward": {"x": nn.spec.Tensor((1, 784), "float32")}})
mod_from_relax.show()

# ---- write as TVMScript

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


mod_from_script = TVMScriptModule
mod_from_script.show()

# ---- what a module holds

mod = mod_from_torch
print(mod.get_global_vars())
# index by global var name
print(mod["main"])
# index by global var, and checking they are the same function
(gv,) = mod.get_global_vars()
assert mod[gv] == mod["main"]

# ---- passes

mod = mod_from_torch
mod = relax.transform.LegalizeOps()(mod)
mod.show()
print(mod.get_global_vars())
mod = relax.get_pipeline("zero")(mod)
mod.show()

# ---- run on the CPU

exec = relax.build(mod, target="llvm")
dev = tvm.cpu()
vm = relax.VirtualMachine(exec, dev)
raw_data = np.random.rand(1, 784).astype("float32")
data = tvm.nd.array(raw_data, dev)
cpu_out = vm["main"](data, *params_from_torch["main"]).numpy()
print(cpu_out)

# ---- run on a GPU

if tvm.cuda(0).exist:
    from tvmscript import dlight as dl

    with tvm.target.Target("cuda"):
        gpu_mod = dl.ApplyDefaultSchedule(
            dl.gpu.Matmul(),
            dl.gpu.Fallback(),
        )(mod)
    exec = relax.build(gpu_mod, target="cuda")
    dev = tvm.device("cuda", 0)
    vm = relax.VirtualMachine(exec, dev)
    # Need to allocate data and params on GPU device
    data = tvm.nd.array(raw_data, dev)
    gpu_params = [tvm.nd.array(p, dev) for p in params_from_torch["main"]]
    gpu_out = vm["main"](data, *gpu_params).numpy()
    print(gpu_out)
    # Check the correctness of the results
    assert np.allclose(cpu_out, gpu_out, atol=1e-3)
