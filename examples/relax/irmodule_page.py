# type: ignore  # annotations as the page writes them; type checkers take `Annotated[R.Tensor, (784,), "float32"]`
"""The tutorial about IRModule, from top to bottom: models of torch, of nn and as scripts; passes; machine code.

The part about torch runs where torch is installed, the part about GPUs where there is one.
"""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tvmscript import relax

try:
    import torch
    from torch import fx
except ImportError:
    torch = None

# ---- import from existing models

if torch is not None:
    from tvmscript.relax.frontend.torch import from_fx

    class TorchModel(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc1 = torch.nn.Linear(784, 256)
            self.relu1 = torch.nn.ReLU()
            self.fc2 = torch.nn.Linear(256, 10)

        def forward(self, x):
            x = self.fc1(x)
            x = self.relu1(x)
            return self.fc2(x)

    # the shape and the dtype of the input
    input_info = [((1, 784), "float32")]

    with torch.no_grad():
        torch_fx_model = fx.symbolic_trace(TorchModel())
        mod_from_torch = from_fx(torch_fx_model, input_info, keep_params_as_input=True)
    mod_from_torch, params_from_torch = relax.frontend.detach_params(mod_from_torch)
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
        return self.fc2(x)


mod_from_relax, params_from_relax = RelaxModel().export_tvm({"forward": {"x": nn.spec.Tensor((1, 784), "float32")}})
mod_from_relax.show()

# ---- write as TVMScript

from tvmscript.script import ir as I  # noqa: E402
from tvmscript.script import relax as R  # noqa: E402


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

if torch is not None:
    mod, params = mod_from_torch, params_from_torch["main"]
else:
    rng = np.random.default_rng(0)
    shapes = [(256, 784), (256,), (10, 256), (10,)]
    mod, params = mod_from_script, [tvm.nd.array(rng.random(shape, dtype="float32") - 0.5) for shape in shapes]

print(mod.get_global_vars())
# by the name of a function
print(mod["main"])
# by a global variable: it is the same function
(gv,) = mod.get_global_vars()
assert mod[gv] == mod["main"]

# ---- passes

# the page's TVM writes floats with a point
mod = relax.transform.LegalizeOps()(mod)
mod.show(float_points=True)
print(mod.get_global_vars())
mod = relax.get_pipeline("zero")(mod)
mod.show(float_points=True)

# ---- run on the CPU

exec = relax.build(mod, target="llvm")
dev = tvm.cpu()
vm = relax.VirtualMachine(exec, dev)
raw_data = np.random.rand(1, 784).astype("float32")
data = tvm.nd.array(raw_data, dev)
cpu_out = vm["main"](data, *params).numpy()
print(cpu_out)

# ---- run on a GPU

if tvm.cuda(0).exist:
    from tvmscript import dlight as dl

    with tvm.target.Target("cuda"):
        gpu_mod = dl.ApplyDefaultSchedule(dl.gpu.Matmul(), dl.gpu.Fallback())(mod)
    exec = relax.build(gpu_mod, target="cuda")
    dev = tvm.device("cuda", 0)
    vm = relax.VirtualMachine(exec, dev)
    data = tvm.nd.array(raw_data, dev)
    gpu_params = [tvm.nd.array(param, dev) for param in params]
    gpu_out = vm["main"](data, *gpu_params).numpy()
    print(gpu_out)
    assert np.allclose(cpu_out, gpu_out, atol=1e-3)
