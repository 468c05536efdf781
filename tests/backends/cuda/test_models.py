"""Small models for CUDA with captures against the interpreter; kernels run on threads of the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tests.backends.cuda import driver_on_cpu
from tvmscript import relax
from tvmscript.fuzz.cuda import on_cpu

CONV = """
@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((1, 2, 6, 6), "float32"), w: R.Tensor((4, 2, 3, 3), "float32"), b: R.Tensor((4, 1, 1), "float32"),
        v: R.Tensor((3, 4), "float32"),
    ):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y = R.nn.conv2d(x, w, padding=[1, 1])
            z = R.nn.relu(R.add(y, b))
            p = R.nn.max_pool2d(z, pool_size=[2, 2], strides=[2, 2])
            m = R.mean(p, axis=[2, 3])
            gv = R.nn.softmax(R.matmul(m, R.permute_dims(v)))
            R.output(gv)
        return gv
"""
ATTENTION = """
@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor((1, 2, 8), "float32"), qkv: R.Tensor((8, 24), "float32"), o: R.Tensor((8, 8), "float32"),
        g: R.Tensor((8,), "float32"), h: R.Tensor((8,), "float32"),
    ):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            n = R.nn.layer_norm(x, g, h, axes=[-1])
            t = R.reshape(R.matmul(n, qkv), R.shape([1, 2, 3, 2, 4]))
            parts = R.split(t, 3, axis=2)
            q = R.reshape(parts[0], R.shape([1, 2, 2, 4]))
            k = R.reshape(parts[1], R.shape([1, 2, 2, 4]))
            v = R.reshape(parts[2], R.shape([1, 2, 2, 4]))
            a = R.nn.attention(q, k, v, causal_mask="TopLeft")
            gv = R.add(x, R.matmul(R.reshape(a, R.shape([1, 2, 8])), o))
            R.output(gv)
        return gv
"""
MODELS = {"conv": CONV, "attention": ATTENTION}


def compare_with_interpreter(name: str) -> None:
    """Compare a call of a model on a device, which captures the launches, and a replay with the interpreter."""
    mod: Any = tvm.from_source(MODELS[name])
    rng = np.random.default_rng(0)
    shapes = [[int(extent) for extent in param.struct_info.shape] for param in mod["main"].params]
    x, *weights = [rng.uniform(-1, 1, shape).astype("float32") for shape in shapes]
    expected = relax.VirtualMachine(relax.build(mod, "interp"), tvm.cpu())["main"](x, *weights).numpy()
    device = tvm.cuda(0)
    with tvm.transform.PassContext(config={"relax.backend.use_cuda_graph": True}):
        executable = relax.build(mod, "cuda", pipeline="default_build")
    main: Any = relax.VirtualMachine(executable, device)["main"]
    given = [tvm.nd.array(weight, device) for weight in weights]
    for _ in range(2):
        result = main(tvm.nd.array(x, device), *given)
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.fuzz
@pytest.mark.skipif(on_cpu.COMPILER is None, reason="there is no C++ compiler")
@pytest.mark.parametrize("name", MODELS)
def test_outputs_are_those_of_the_interpreter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    """The models take long on threads of the CPU; each of their kernels has tests of its own in every run."""
    driver = driver_on_cpu.install(monkeypatch, tmp_path)
    compare_with_interpreter(name)
    calls = [call[0] for call in driver.calls]
    assert (calls.count("begin_capture"), calls.count("launch_graph")) == (len(driver.graphs), len(driver.graphs))
    assert sum(map(len, driver.graphs)) > 1
