"""Graph modules that are built and run: values against NumPy, arguments, memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tvm_ffi

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.runtime.errors import (
    KernelAssertion,
    NotAnArray,
    WrongArrayDType,
    WrongArrayRank,
    WrongArrayShape,
    WrongNumberOfArguments,
    WrongScalar,
)
from tvmscript.backends.vm.graph_function import GraphFunction
from tvmscript.ir.transform.context import PassContext
from tvmscript.ir.transform.registry import get_pass

_GRAPHS = tvm.from_source("""
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def add(a: T.handle, b: T.handle, c: T.handle):
        T.func_attr({"tir.noalias": True})
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        B = T.match_buffer(b, (n, 4))
        C = T.match_buffer(c, (n, 4))
        for i, j in T.grid(n, 4):
            with T.block("C"):
                vi, vj = T.axis.remap("SS", [i, j])
                C[vi, vj] = A[vi, vj] + B[vi, vj]

    @T.prim_func(private=True)
    def scale(a: T.handle, b: T.handle, factor: T.int64):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        B = T.match_buffer(b, (n, 4))
        for i, j in T.grid(n, 4):
            with T.block("B"):
                vi, vj = T.axis.remap("SS", [i, j])
                B[vi, vj] = A[vi, vj] * T.cast(factor, "float32")

    @T.prim_func(private=True)
    def increment(a: T.handle):
        n = T.int64()
        A = T.match_buffer(a, (n, 4))
        for i, j in T.grid(n, 4):
            with T.block("A"):
                vi, vj = T.axis.remap("SS", [i, j])
                A[vi, vj] = A[vi, vj] + T.float32(1)

    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            a = R.call_tir(cls.add, (x, y), R.Tensor((n, 4), "float32"))
            b = R.call_tir(cls.add, (a, a), R.Tensor((n, 4), "float32"))
            c = R.call_tir(cls.add, (b, y), R.Tensor((n, 4), "float32"))
            d = R.reshape(c, R.shape([n * 4]))
            R.output(b, d)
        return (d, (b, x), R.shape([n, n * 2]))

    @R.function
    def constant(x: R.Tensor((3, 4), "float32")) -> R.Tensor((3, 4), "float32"):
        cls = Module
        w = R.const([[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]], "float32")
        a = R.call_tir(cls.add, (x, w), R.Tensor((3, 4), "float32"))
        b = R.call_tir(cls.add, (a, w), R.Tensor((3, 4), "float32"))
        return b

    @R.function
    def scaled(x: R.Tensor(("n", 4), "float32"), s: R.Shape(["k"]), p: R.Prim(value="m")):
        n = T.int64()
        k = T.int64()
        m = T.int64()
        cls = Module
        a = R.call_tir(cls.scale, (x,), R.Tensor((n, 4), "float32"), tir_vars=R.shape([k * m]))
        return (a, R.prim_value(k + m))

    @R.function(pure=False)
    def in_place(x: R.Tensor(("n", 4), "float32"), y: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        cls = Module
        a = R.call_tir(cls.add, (x, y), R.Tensor((n, 4), "float32"))
        b = R.call_tir_inplace(cls.increment, (a,), [0], R.Tensor((n, 4), "float32"))
        return b

    @R.function
    def packed(x: R.Tensor((2, 4), "float32")):
        cls = Module
        a = R.call_tir(cls.add, (x, x), R.Tensor((2, 4), "float32"))
        b = R.call_dps_packed("tests.graph_build.negate", (a,), R.Tensor((2, 4), "float32"))
        c = R.call_tir(cls.add, (b, x), R.Tensor((2, 4), "float32"))
        return c

    @R.function
    def cast(x: R.Tensor(("n", 4), "float32")):
        n = T.int64()
        cls = Module
        y = R.match_cast(x, R.Tensor((3, 4), "float32"))
        z = R.call_tir(cls.add, (y, y), R.Tensor((3, 4), "float32"))
        return z

    @R.function
    def calling(x: R.Tensor((3, 4), "float32")):
        cls = Module
        a = R.call_tir(cls.add, (x, x), R.Tensor((3, 4), "float32"))
        b = cls.constant(a)
        c = cls.constant(b)
        return c

    @R.function
    def pairs(t: R.Tuple(R.Tensor((2, 4), "float32"), R.Tuple(R.Tensor((2, 4), "float32")))):
        cls = Module
        a = t[0]
        u = t[1]
        b = u[0]
        c = R.call_tir(cls.add, (a, b), R.Tensor((2, 4), "float32"))
        return c
""")


def _negate(a: Any, b: Any) -> None:
    np.from_dlpack(b)[...] = np.negative(np.from_dlpack(a))


tvm.register_func("tests.graph_build.negate", _negate)


@pytest.fixture(scope="module")
def vm() -> relax.VirtualMachine:
    return relax.VirtualMachine(relax.build(_GRAPHS, target="llvm"), tvm.cpu())


def _pair(n: int, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-1, 1, (n, 4)).astype("float32"), rng.uniform(-1, 1, (n, 4)).astype("float32")


@pytest.mark.parametrize("n", [1, 3, 0, 100])
def test_symbolic_sizes(vm: relax.VirtualMachine, n: int) -> None:
    x, y = _pair(n, n)
    d, (b, given), shape = vm["main"](x, y)
    np.testing.assert_array_equal(b.numpy(), 2 * (x + y))
    np.testing.assert_array_equal(d.numpy(), (2 * (x + y) + y).reshape(-1))
    np.testing.assert_array_equal(given.numpy(), x)
    assert shape == (n, 2 * n)


def test_results_are_kept(vm: relax.VirtualMachine) -> None:
    """A later call, which reuses the temporary storage, writes to new results."""
    x, y = _pair(5)
    first = vm["main"](x, y)[0]
    before = first.numpy()
    vm["main"](y * 3, y)
    np.testing.assert_array_equal(first.numpy(), before)


@pytest.mark.parametrize("convert", [tvm.nd.array, tvm_ffi.from_dlpack, np.asarray])
def test_kinds_of_arrays(vm: relax.VirtualMachine, convert: Any) -> None:
    x, _ = _pair(3)
    w = np.arange(12, dtype="float32").reshape(3, 4)
    np.testing.assert_array_equal(vm["constant"](convert(x)).numpy(), x + w + w)


def test_shapes_and_scalars(vm: relax.VirtualMachine) -> None:
    x, _ = _pair(3)
    scaled, total = vm["scaled"](x, (5,), 7)
    np.testing.assert_array_equal(scaled.numpy(), x * 35)
    assert total == 12


def test_in_place_kernels(vm: relax.VirtualMachine) -> None:
    x, y = _pair(3)
    np.testing.assert_array_equal(vm["in_place"](x, y).numpy(), x + y + 1)


def test_packed_functions(vm: relax.VirtualMachine) -> None:
    x, _ = _pair(2)
    np.testing.assert_array_equal(vm["packed"](x).numpy(), -2 * x + x)


def test_tuples_as_arguments(vm: relax.VirtualMachine) -> None:
    x, y = _pair(2)
    np.testing.assert_array_equal(vm["pairs"]((x, (y,))).numpy(), x + y)
    with pytest.raises(WrongScalar, match=r"pairs: t takes a tuple of 2 values, but got"):
        vm["pairs"](x)


def test_calls_of_graph_functions_are_inlined(vm: relax.VirtualMachine) -> None:
    x, _ = _pair(3)
    w = np.arange(12, dtype="float32").reshape(3, 4)
    np.testing.assert_array_equal(vm["calling"](x).numpy(), x + x + w + w + w + w)
    assert vm["calling"].stats().startswith("calling: native, 5 calls")  # type: ignore[attr-defined]


def test_casts_are_checked(vm: relax.VirtualMachine) -> None:
    x, _ = _pair(3)
    np.testing.assert_array_equal(vm["cast"](x).numpy(), 2 * x)
    with pytest.raises(KernelAssertion, match="y must have the extent 3"):
        vm["cast"](_pair(2)[0])


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda x, y: (x,), WrongNumberOfArguments, "main takes 2 arguments, but got 1"),
        (lambda x, y: (x[0], y), WrongArrayRank, "main: the array x takes 2 dimensions"),
        (lambda x, y: (x, y[:, :3].copy()), WrongArrayShape, "main: the array y takes the extent 4 in dimension 1"),
        (lambda x, y: (x, y[:2]), WrongArrayShape, "main: the array y takes the extent 3 in dimension 0, but got 2"),
        (lambda x, y: (x, y.astype("float64")), WrongArrayDType, "main: the array y takes float32"),
        (lambda x, y: (x, 1.5), NotAnArray, "y"),
    ],
)
def test_wrong_arguments_are_named(vm: relax.VirtualMachine, change: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        vm["main"](*change(*_pair(3)))


def test_parameters_are_bound_when_built() -> None:
    x, y = _pair(3)
    vm = relax.VirtualMachine(relax.build(_GRAPHS, params={"y": y}), tvm.cpu())
    np.testing.assert_array_equal(vm["main"](x)[1][0].numpy(), 2 * (x + y))


def test_temporary_storage_is_planned(vm: relax.VirtualMachine) -> None:
    executable = relax.build(_GRAPHS)
    constant = executable["constant"]
    assert isinstance(constant, GraphFunction)
    assert constant.workspace_bytes == 64
    assert executable.stats().splitlines()[1] == (
        "constant: native, 2 calls, 1 temporary tensors (64 bytes), 64 bytes of constants"
    )


_PERCEPTRON = """
@I.ir_module
class Module:
    @R.function
    def main(
        x: R.Tensor(("n", 16), "float32"), w: R.Tensor((16, 32), "float32"), b: R.Tensor((32,), "float32"),
        v: R.Tensor((32, 8), "float32"),
    ):
        n = T.int64()
        with R.dataflow():
            y = R.nn.relu(R.add(R.matmul(x, w), b))
            z = R.nn.softmax(R.matmul(y, v), axis=-1)
            r = R.reshape(z, R.shape([n * 8]))
            R.output(r)
        return r
"""


@pytest.mark.parametrize("pipeline", ["kernel_calls", "default", "default_build"])
@pytest.mark.parametrize("exec_mode", ["compiled", "bytecode"])
def test_pipelines(pipeline: str, exec_mode: Any) -> None:
    """Programs with values, of fused kernels and with explicit memory compute in every mode what NumPy computes."""
    executable = relax.build(tvm.from_source(_PERCEPTRON), pipeline=pipeline, exec_mode=exec_mode)
    assert bool(executable.reasons) is (pipeline == "default_build" or exec_mode == "bytecode")
    rng = np.random.default_rng(0)
    x, w, b, v = (rng.uniform(-1, 1, shape).astype("float32") for shape in ((5, 16), (16, 32), (32,), (32, 8)))
    hidden = np.maximum(x @ w + b, 0) @ v
    exponentials = np.exp(hidden - hidden.max(-1, keepdims=True))
    expected = (exponentials / exponentials.sum(-1, keepdims=True)).reshape(-1)
    result = relax.VirtualMachine(executable, tvm.cpu())["main"](x, w, b, v)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-6)


_OVERWRITTEN = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), y: R.Tensor((1, 3), "float32")):
        with R.dataflow():
            z = R.add(x, y)
            q = R.multiply(z, y)
            p = R.add(z, q)
            r = R.reshape(p, R.shape([3, 2]))
            s = R.nn.relu(r)
            t = R.subtract(R.reshape(s, R.shape([2, 3])), p)
            u = R.divide(t, x)
            R.output(p, u)
        return (p, R.multiply(u, u))
"""


def test_calls_in_place() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.uniform(1, 2, (2, 3)).astype("float32"), rng.uniform(-1, 1, (1, 3)).astype("float32")
    before = tvm.from_source(_OVERWRITTEN)
    after = get_pass("relax.DataflowUseInplaceCalls")(before)
    assert after.script().count("R.call_tir_inplace") == 3
    executables = [relax.build(before), relax.build(after), relax.build(after, exec_mode="bytecode")]
    results = [relax.VirtualMachine(executable, tvm.cpu())["main"](x, y) for executable in executables]
    p = x + y + (x + y) * y
    u = (np.maximum(p, 0) - p) / x
    for result in results:
        np.testing.assert_allclose(result[0].numpy(), p, rtol=1e-6)
        np.testing.assert_allclose(result[1].numpy(), u * u, rtol=1e-5)


def test_cuda_graphs() -> None:
    """Outlined launches compute the same; a CPU captures nothing."""
    rng = np.random.default_rng(0)
    x, w, b, v = (rng.uniform(-1, 1, shape).astype("float32") for shape in ((5, 16), (16, 32), (32,), (32, 8)))
    text = _PERCEPTRON.replace('("n", 16)', "(5, 16)").replace("n * 8", "40").replace("n = T.int64()", "")
    program = tvm.from_source(text)
    expected = relax.VirtualMachine(relax.build(program), tvm.cpu())["main"](x, w, b, v).numpy()
    weights = {"w": w, "b": b, "v": v}
    with PassContext(config={"relax.backend.use_cuda_graph": True}):
        executable = relax.build(program, params=weights, pipeline="default_build")
    assert "main_cuda_graph_capture" in executable.functions
    np.testing.assert_allclose(relax.VirtualMachine(executable, tvm.cpu())["main"](x).numpy(), expected, rtol=1e-5)
