"""The names of TVM's `relay.backend.vm` page: compile a model in one call and step by step, then run it."""

from __future__ import annotations

import numpy as np

import tvmscript as tvm
from tvmscript import relay
from tvmscript.runtime import vm as vm_rt

x = relay.var("x", shape=(1, 784))
weight, bias = relay.var("weight", shape=(10, 784)), relay.var("bias", shape=(10,))
hidden = relay.nn.bias_add(relay.nn.dense(x, weight), bias)
mod = tvm.IRModule.from_expr(relay.Function([x, weight, bias], relay.nn.softmax(hidden)))
print(mod)

rng = np.random.default_rng(0)
params = {"weight": rng.random((10, 784), dtype="float32"), "bias": rng.random(10, dtype="float32")}
data = rng.random((1, 784), dtype="float32")
scores = data @ params["weight"].T + params["bias"]
expected = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
dev = tvm.cpu(0)

# in one call
executable = relay.vm.compile(mod, target="llvm", params=params)
machine = vm_rt.VirtualMachine(executable, dev)
np.testing.assert_allclose(machine.run(data).numpy(), expected, rtol=1e-3)

# targets may be a dictionary, and have a host
targets = tvm.target.Target.canon_multi_target_and_host({"cpu": "llvm"}, "llvm")
print([str(target.kind) for target in targets])

# step by step
compiler = relay.vm.VMCompiler()
compiler.set_params(params)
compiler.lower(mod, {"cpu": "llvm"})
compiler.codegen()
machine = vm_rt.VirtualMachine(compiler.get_exec(), dev)
machine.set_input("main", x=data)
np.testing.assert_allclose(machine.invoke("main").numpy(), expected, rtol=1e-3)
print(sorted(compiler.get_params()))

# what is compiled
optimized, weights = relay.vm.VMCompiler().optimize(mod, "llvm", params=params)
print([var.name_hint for var in optimized.get_global_vars()], sorted(weights))

# executors
for kind in ("debug", "graph", "vm"):
    evaluate = relay.create_executor(kind, mod, dev, "llvm", params).evaluate()
    np.testing.assert_allclose(evaluate(data).numpy(), expected, rtol=1e-3)
executor = relay.vm.VMExecutor(mod, dev, "llvm")
np.testing.assert_allclose(executor.evaluate()(data, **params).numpy(), expected, rtol=1e-3)
print("Results match with NumPy.")
