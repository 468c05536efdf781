"""Relay's names build graph functions, compile them and run them."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relay
from tvmscript.backends.runtime.errors import NotAnArray, WrongArrayDType, WrongArrayShape
from tvmscript.contrib import graph_executor
from tvmscript.contrib.debugger import debug_executor
from tvmscript.contrib.download import download_testdata
from tvmscript.frontend.relay.errors import (
    DamagedParams,
    InvalidRelayExpr,
    MissingGraphInput,
    NoDownload,
    NotLoweredYet,
    UnknownExecutor,
    UnknownGraphInput,
    WrongBytecode,
)
from tvmscript.ir.core import WrongType

Array = Any
RNG = np.random.default_rng(3)
X = RNG.uniform(-1, 1, (2, 3)).astype("float32")
PARAMS = {"w": RNG.random((4, 3), dtype="float32"), "b": RNG.random(4, dtype="float32")}
HIDDEN = np.maximum(X @ PARAMS["w"].T + PARAMS["b"], 0)


def dense_layer() -> Any:
    """Two outputs: a layer, and the layer plus one."""
    x, w, b = relay.var("x", shape=(2, 3)), relay.var("w", shape=(4, 3)), relay.var("b", shape=(4,))
    y: Any = relay.nn.relu(relay.nn.bias_add(relay.nn.dense(x, w, units=4), b))
    return tvm.IRModule.from_expr(relay.Function([x, w, b], relay.Tuple([y, y + relay.const(1.0)])))


def built() -> Any:
    with tvm.transform.PassContext(opt_level=3):
        return relay.build(dense_layer(), target=tvm.target.Target("llvm", host="llvm"), params=PARAMS)


def test_the_executor_of_the_virtual_machine() -> None:
    """The page's names: it takes another function, and keeps what it has compiled."""
    with pytest.raises(RuntimeError, match="expected a module, got None"):
        relay.vm.VMExecutor(None, tvm.cpu(), "llvm")
    executor: Any = relay.vm.VMExecutor(dense_layer(), tvm.cpu(), "llvm")
    for call in (executor._make_executor(), executor._make_executor(dense_layer()["main"])):
        np.testing.assert_allclose(call(X, **PARAMS)[0].numpy(), HIDDEN, rtol=1e-5)
    assert executor.executable is not None
    assert executor.vm is not None


def test_modules_print_as_scripts() -> None:
    text = dense_layer().script()
    assert "R.nn.relu(lv2)" in text
    assert text.count("R.nn.relu") == 1  # y is used twice, and computed once
    tvm.from_source(text)


def test_graph_executor() -> None:
    lib = built()
    module = graph_executor.GraphModule(lib["default"](tvm.cpu(0)))
    with pytest.raises(MissingGraphInput, match="set_input of x"):
        module.run()
    with pytest.raises(MissingGraphInput, match="get_output needs run"):
        module.get_output(0)
    module.set_input("x", tvm.nd.array(X))
    module.run()
    assert (module.get_num_inputs(), module.get_num_outputs()) == (1, 2)
    for index, expected in enumerate((HIDDEN, HIDDEN + 1)):
        np.testing.assert_allclose(module.get_output(index).numpy(), expected, rtol=1e-5)
    out = tvm.nd.empty((2, 4))
    assert module.get_output(1, out) is out
    np.testing.assert_allclose(out.numpy(), HIDDEN + 1, rtol=1e-5)
    assert module.get_input_info() == ({"x": (2, 3)}, {"x": "float32"})
    assert (module.get_input_index("x"), module.get_input_index("w")) == (0, -1)
    np.testing.assert_array_equal(module.get_input("x").numpy(), X)  # type: ignore[union-attr]  # it is set
    module["run"](x=np.zeros((2, 3), "float32"), unknown=1)
    np.testing.assert_allclose(module.get_output(0).numpy()[0], PARAMS["b"], rtol=1e-5)
    with pytest.raises(UnknownGraphInput, match="no input y: it has x"):
        module.set_input("y", X)
    with pytest.raises(UnknownGraphInput, match="no output 2"):
        module.get_output(2)
    with pytest.raises(UnknownGraphInput, match="no output y"):
        module.get_output("y")  # type: ignore[arg-type]  # a mistake
    with pytest.raises(WrongType, match="GraphModule"):
        graph_executor.GraphModule(lib)
    assert len(module.benchmark(tvm.cpu(), repeat=2, number=1, end_to_end=True).results) == 2


def test_inputs_are_copies() -> None:
    """`set_input` copies, as in TVM, `set_input_zero_copy` does not; values of other types are refused at once."""
    module = graph_executor.GraphModule(built()["default"](tvm.cpu(0)))
    for set_input, expected in ((module.set_input, HIDDEN), (module.set_input_zero_copy, np.maximum(PARAMS["b"], 0))):
        value = tvm.nd.array(X)
        set_input("x", value)
        value.copyfrom(np.zeros_like(X))
        module.run()
        np.testing.assert_allclose(module.get_output(0).numpy(), np.broadcast_to(expected, (2, 4)), rtol=1e-5)
    for other, error in ((X[:1], WrongArrayShape), (tvm.nd.array(X.astype("float64")), WrongArrayDType)):
        with pytest.raises(error, match="the array x takes"):
            module.set_input("x", other)
    with pytest.raises(NotAnArray, match="None"):
        module.set_input("x", None)


def test_libraries_are_loaded(tmp_path: Path) -> None:
    path = str(tmp_path / "deploy.so")
    lib = relay.build(dense_layer(), "llvm", params=PARAMS, mod_name="layer")
    lib.export_library(path)
    loaded: Any = tvm.runtime.load_module(path)
    module = graph_executor.GraphModule(loaded["layer"](tvm.cpu(0)))
    module.set_input("x", tvm.nd.array(X))
    module.run()
    for index, expected in enumerate((HIDDEN, HIDDEN + 1)):
        np.testing.assert_allclose(module.get_output(index).numpy(), expected, rtol=1e-5)
    assert str(loaded.target.kind) == "llvm"
    with pytest.raises(UnknownGraphInput, match="layer, debug_create"):
        loaded["default"]


def test_parameters_as_inputs() -> None:
    """Without `params` weights are inputs, which saved parameters set."""
    with pytest.warns(DeprecationWarning, match="one library"):
        graph, lib, params = relay.build(dense_layer(), "llvm")
    assert params == {}
    assert [graph_node["name"] for graph_node in json.loads(graph)["nodes"][:3]] == ["x", "w", "b"]
    module = graph_executor.create(graph, lib, tvm.cpu())
    saved = relay.save_param_dict(PARAMS)
    module.load_params(saved)
    module.run(x=X)
    np.testing.assert_allclose(module.get_output(0).numpy(), HIDDEN, rtol=1e-5)
    other = graph_executor.create(graph, lib, tvm.cpu())
    other.share_params(module, saved)
    other.run(x=X)
    np.testing.assert_allclose(other.get_output(0).numpy(), HIDDEN, rtol=1e-5)
    with pytest.raises(WrongType, match=r"relay\.build"):
        graph_executor.create(graph, 3, tvm.cpu())
    with pytest.raises(UnknownGraphInput, match="default, debug_create"):
        lib["other"]


def test_debug_executor(capsys: pytest.CaptureFixture[str]) -> None:
    lib = built()
    module = debug_executor.create(lib.get_graph_json(), lib, tvm.cpu())
    module.run(x=X)
    table = capsys.readouterr().out
    assert "fused_matmul_add_relu" in table
    assert "total" in table
    assert len(module.run_individual()) == len(module.profile().kernels) == 2
    np.testing.assert_allclose(module.get_output(0).numpy(), HIDDEN, rtol=1e-5)
    same: Any = lib["debug_create"]("default", tvm.cpu())
    module = debug_executor.GraphModuleDebug(same, [tvm.cpu()], lib.get_graph_json(), None)
    assert "fused_matmul_add_relu" in str(module.profile(x=X))


def test_levels_of_optimization() -> None:
    """Kernels are fused from level 1 on."""
    with tvm.transform.PassContext(opt_level=0):
        lib = relay.build(dense_layer(), "llvm", params=PARAMS)
    assert '"fused' not in lib.get_graph_json()
    assert '"fused' in built().get_graph_json()


def test_dictionaries_of_targets() -> None:
    target: Any = tvm.target.Target
    assert [str(one.kind) for one in target.canon_multi_target_and_host({"cpu": "llvm"})] == ["llvm"]
    lib = relay.build(dense_layer(), {"cpu": "llvm"}, params=PARAMS)
    assert str(lib.target.kind) == "llvm"


def test_targets_of_several_kinds() -> None:
    """The devices of the module choose the target, then the option, then the CPU."""
    targets = {"cuda": "cuda", "cpu": "llvm"}
    assert str(relay.build(dense_layer(), targets, params=PARAMS).target.kind) == "llvm"
    assert relay.vm.compile(dense_layer(), targets, params=PARAMS).mod.device == tvm.cpu()
    devices = dense_layer()
    devices.update_global_info("vdevice", [tvm.ir.VDevice("cuda"), tvm.ir.VDevice("llvm")])
    with pytest.raises(InvalidRelayExpr, match="not on cpu and cuda"):
        relay.build(devices, targets)
    with pytest.raises(InvalidRelayExpr, match="no target for cpu among cuda, opencl"):
        relay.vm.compile(dense_layer(), ["cuda", "opencl"])
    with (
        tvm.transform.PassContext(config={"relay.fallback_device_type": 8}),
        pytest.raises(InvalidRelayExpr, match="no target for metal among cuda, llvm"),
    ):
        relay.build(dense_layer(), targets)


def test_texts_of_executables(tmp_path: Path) -> None:
    """TVM's tests of its executable: stats, saved bytecode."""
    executable = relay.vm.compile(dense_layer(), "llvm", params=PARAMS)
    assert executable.stats.startswith("Relay VM executable statistics:\n  Constant shapes (# 2): [")
    assert '  Globals (#1): [("main", 0)]\n' in executable.stats
    assert executable.globals == ["main"]
    assert all(name in executable.bytecode for name in executable.primitive_ops)
    assert [line.split(":")[0] for line in executable.constants.splitlines()] == ["VM Constant[0]", "VM Constant[1]"]
    assert executable.virtual_devices == "VM VirtualDevice[0]: device type 1, id 0\n"
    assert executable.get_function_params("main") == ["x"]
    code, lib = executable.save()
    lib.export_library(str(tmp_path / "lib.so"))
    runtime: Any = importlib.import_module("tvmscript.runtime.vm")
    loaded = runtime.Executable.load_exec(code, tvm.runtime.load_module(str(tmp_path / "lib.so")))
    result = runtime.VirtualMachine(loaded, tvm.cpu()).run(X)[0]
    np.testing.assert_allclose(result.numpy(), HIDDEN, rtol=1e-5)
    with pytest.raises(WrongBytecode, match="the functions main"):
        runtime.Executable.load_exec(b"", lib)
    with pytest.raises(WrongType, match=r"relax\.build"):
        runtime.Executable(3)


@pytest.mark.parametrize("shape", [(), (2,)])
def test_a_bias_along_no_axis_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(InvalidRelayExpr, match=f"a tensor of {len(shape)} axes has no axis 1"):
        relay.nn.bias_add(relay.var("x", shape=shape), relay.var("b", shape=(2,)))


@pytest.mark.parametrize("kind", ["debug", "graph", "vm"])
def test_executors(kind: str) -> None:
    evaluate = relay.create_executor(kind, dense_layer(), tvm.cpu(0), "llvm", PARAMS).evaluate()
    for result, expected in zip(evaluate(X), (HIDDEN, HIDDEN + 1), strict=True):
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-5)
    np.testing.assert_allclose(evaluate(x=X)[0].numpy(), HIDDEN, rtol=1e-5)
    with pytest.raises(InvalidRelayExpr, match="main takes x, got 2 values"):
        evaluate(X, X)
    x = relay.var("x", shape=(3,))
    bound = relay.create_executor(kind, tvm.IRModule.from_expr(relay.Function([x], x)), tvm.cpu(), "llvm")
    assert bound.evaluate(relay.add(x, x), {x: np.ones(3, "float32")}).numpy().tolist() == [2, 2, 2]


@pytest.mark.parametrize("kind", ["debug", "graph", "vm"])
def test_expressions_call_functions_of_the_module(kind: str) -> None:
    text = """
@I.ir_module
class Module:
    @R.function
    def twice(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        return R.add(x, x)

    @R.function
    def main(x: R.Tensor((2,), "float32")) -> R.Tensor((2,), "float32"):
        cls = Module
        gv: R.Tensor((2,), "float32") = cls.twice(x)
        return gv
"""
    mod: Any = tvm.from_source(text)
    twice = mod.get_global_var("twice")
    executor = relay.create_executor(kind, mod, tvm.cpu(), "llvm")
    x, ones = relay.var("x", shape=(2,)), np.ones(2, "float32")
    four_times = relay.Function([x], relay.Call(twice, [relay.Call(twice, [x])]))
    assert executor.evaluate()(ones).numpy().tolist() == [2, 2]
    assert executor.evaluate(four_times)(ones).numpy().tolist() == [4, 4]
    assert executor.evaluate(twice)(ones).numpy().tolist() == [2, 2]


def test_executors_that_do_not_exist() -> None:
    with pytest.raises(UnknownExecutor, match="debug, graph, vm, got 'aot'"):
        relay.create_executor("aot")
    with pytest.raises(UnknownExecutor, match="expected a module"):
        relay.create_executor("vm")
    with pytest.raises(InvalidRelayExpr, match="neither a module"):
        relay.create_executor("graph").evaluate()


def test_the_virtual_machine() -> None:
    runtime: Any = importlib.import_module("tvmscript.runtime.vm")
    machine = runtime.VirtualMachine(relay.vm.compile(dense_layer(), "llvm", params=PARAMS), tvm.cpu())
    np.testing.assert_allclose(machine.run(X)[0].numpy(), HIDDEN, rtol=1e-5)
    machine.set_input("main", x=X)
    assert machine.get_input_index("x") == 0
    np.testing.assert_allclose(machine.invoke("main")[1].numpy(), HIDDEN + 1, rtol=1e-5)
    machine.set_one_input("main", 0, np.zeros((2, 3), "float32"))
    machine.invoke_stateful("main")
    np.testing.assert_allclose(machine.get_outputs()[0].numpy()[1], PARAMS["b"], rtol=1e-5)
    with pytest.raises(UnknownGraphInput, match="no input y"):
        machine.set_one_input("main", "y", X)
    for inputs in ((), (0,), (0, X, X)):
        with pytest.raises(WrongType, match="one input and its value"):
            machine.set_one_input("main", *inputs)
    with pytest.raises(WrongType, match=r"relay\.vm\.compile"):
        runtime.VirtualMachine(3, tvm.cpu())
    devices: tuple[Any, ...] = ("cpu", [], None)
    for device in devices:
        with pytest.raises(WrongType, match="devices, such as"):
            runtime.VirtualMachine(relay.vm.compile(dense_layer(), "llvm"), device)
    assert len(machine.benchmark(tvm.cpu(), X, repeat=2, number=1).results) == 2
    fresh = runtime.VirtualMachine(relay.vm.compile(dense_layer(), "llvm"), tvm.cpu())
    with pytest.raises(MissingGraphInput, match="the inputs w, b"):
        fresh.run(X)


def test_steps_of_the_compiler() -> None:
    compiler = relay.vm.VMCompiler()
    with pytest.raises(NotLoweredYet, match="codegen needs lower"):
        compiler.codegen()
    with pytest.raises(NotLoweredYet, match="get_exec needs codegen"):
        compiler.get_exec()
    with pytest.raises(WrongType, match="a dict of arrays"):
        compiler.set_params([1])  # type: ignore[arg-type]  # a mistake
    mod, params = compiler.optimize(dense_layer(), "llvm", params=PARAMS)
    assert "cls.fused_matmul_add_relu" in mod.script()
    assert {name: value.shape for name, value in params.items()} == {"w": (4, 3), "b": (4,)}
    compiler.lower(dense_layer(), {"cpu": "llvm"})
    compiler.codegen()
    assert "main" in compiler.get_exec()


def test_bindings_and_branches() -> None:
    """Let binds t to z + z: t * t where c holds, else t - z."""
    c, z, t = relay.var("c", "bool"), relay.var("z", shape=(3,)), relay.var("t", shape=(3,))
    body: Any = relay.Let(t, relay.add(z, z), relay.If(c, relay.multiply(t, t), relay.subtract(t, z)))
    call = relay.create_executor("vm", relay.Function([c, z], body), tvm.cpu(), "llvm").evaluate()
    value = np.array([1, 2, 3], "float32")
    assert call(np.array(True), value).numpy().tolist() == [4, 16, 36]
    assert call(np.array(False), value).numpy().tolist() == [1, 2, 3]
    assert set(relay.free_vars(body)) == {c, z}


def test_sizes_at_run_time() -> None:
    x = relay.var("x", relay.TensorType((relay.Any(), 2)))
    call = relay.create_executor("vm", relay.Function([x], relay.nn.relu(x)), tvm.cpu(), "llvm").evaluate()
    for rows in (1, 5):
        value = RNG.uniform(-1, 1, (rows, 2)).astype("float32")
        np.testing.assert_array_equal(call(value).numpy(), np.maximum(value, 0))


#: gamma, beta, mean and variance of two channels
ROWS = ([1, 2], [0, 1], [0.1, 0.2], [0.5, 1.5])


def _column(row: int) -> Array:
    return np.array(ROWS[row], "float32")[:, None, None]


def batch_norm(x: Any) -> Any:
    """The first result of batch normalization."""
    gamma, beta, mean, variance = [relay.const(np.array(row, "float32")) for row in ROWS]
    return relay.nn.batch_norm(x, gamma, beta, mean, variance)[0]


IMAGE = RNG.uniform(-1, 1, (1, 2, 6, 6)).astype("float32")
CUBE = RNG.uniform(-1, 1, (2, 3, 4)).astype("float32")
OPERATORS: dict[str, tuple[Callable[[Any], Any], Array, Array]] = {
    "cast": (lambda x: relay.cast(x, "int32"), CUBE * 4, (CUBE * 4).astype("int32")),
    "copy": (relay.copy, CUBE, CUBE),
    "reshape": (lambda x: relay.reshape(x, (6, 4)), CUBE, CUBE.reshape(6, 4)),
    "reshape to a vector": (lambda x: relay.reshape(x, -1), CUBE, CUBE.reshape(-1)),
    "transpose": (relay.transpose, CUBE, CUBE.T),
    "transpose axes": (lambda x: relay.transpose(x, (1, 0, 2)), CUBE, CUBE.transpose(1, 0, 2)),
    "concatenate": (lambda x: relay.concatenate([x, x], 1), CUBE, np.concatenate([CUBE, CUBE], 1)),
    "stack": (lambda x: relay.stack([x, x], 1), CUBE, np.stack([CUBE, CUBE], 1)),
    "split": (lambda x: relay.split(x, 2, 2)[1], CUBE, CUBE[..., 2:]),
    "expand_dims": (lambda x: relay.expand_dims(x, 1, 2), CUBE, CUBE[:, None, None]),
    "take": (lambda x: relay.take(x, relay.const(np.array([2, 0])), 1), CUBE, CUBE[:, [2, 0]]),
    "full": (lambda x: relay.add(x, relay.full(relay.const(2.0), (4,), "float32")), CUBE, CUBE + 2),
    "strided_slice": (lambda x: relay.strided_slice(x, [0, 1], [2, 3]), CUBE, CUBE[0:2, 1:3]),
    "sum": (lambda x: relay.sum(x, 1, True), CUBE, CUBE.sum(1, keepdims=True)),
    "mean": (lambda x: relay.mean(x, [0, 2]), CUBE, CUBE.mean((0, 2))),
    "max": (relay.max, CUBE, CUBE.max()),
    "min": (lambda x: relay.min(x, -1), CUBE, CUBE.min(-1)),
    "prod": (lambda x: relay.prod(x, 0), CUBE, CUBE.prod(0)),
    "variance": (lambda x: relay.variance(x, 2), CUBE, CUBE.var(2)),
    "argmax": (lambda x: relay.argmax(x, 1), CUBE, CUBE.argmax(1)),
    "argmin": (lambda x: relay.argmin(x, 1), CUBE, CUBE.argmin(1)),
    "nn.matmul": (lambda x: relay.nn.matmul(x, x, transpose_b=True), CUBE, CUBE @ CUBE.transpose(0, 2, 1)),
    "nn.batch_matmul": (lambda x: relay.nn.batch_matmul(x, x), CUBE, CUBE @ CUBE.transpose(0, 2, 1)),
    "nn.max_pool2d": (
        lambda x: relay.nn.max_pool2d(x, (2, 2), (2, 2)), IMAGE, IMAGE.reshape(1, 2, 3, 2, 3, 2).max((3, 5))
    ),
    "nn.avg_pool2d": (
        lambda x: relay.nn.avg_pool2d(x, (2, 2), (2, 2)), IMAGE, IMAGE.reshape(1, 2, 3, 2, 3, 2).mean((3, 5))
    ),
    "nn.global_avg_pool2d": (relay.nn.global_avg_pool2d, IMAGE, IMAGE.mean((2, 3), keepdims=True)),
    "nn.global_max_pool2d": (relay.nn.global_max_pool2d, IMAGE, IMAGE.max((2, 3), keepdims=True)),
    "nn.batch_flatten": (relay.nn.batch_flatten, IMAGE, IMAGE.reshape(1, -1)),
    "nn.leaky_relu": (lambda x: relay.nn.leaky_relu(x, 0.1), CUBE, np.where(CUBE > 0, CUBE, 0.1 * CUBE)),
    "nn.dropout": (relay.nn.dropout, CUBE, CUBE),
    "nn.pad": (
        lambda x: relay.nn.pad(x, ((0, 1), (0, 0), (2, 0)), 1.0), CUBE,
        np.pad(CUBE, ((0, 1), (0, 0), (2, 0)), constant_values=1),
    ),
    "nn.bias_add": (
        lambda x: relay.nn.bias_add(x, relay.const(np.array([1, 2], "float32"))), IMAGE,
        IMAGE + np.array([1, 2], "float32")[:, None, None],
    ),
    "nn.conv2d": (
        lambda x: relay.nn.conv2d(x, relay.const(np.ones((3, 2, 1, 1), "float32")), channels=3, kernel_size=(1, 1)),
        IMAGE, np.repeat(IMAGE.sum(1, keepdims=True), 3, 1),
    ),
    "nn.conv1d": (
        lambda x: relay.nn.conv1d(x, relay.const(np.ones((2, 3, 1), "float32"))),
        CUBE, np.repeat(CUBE.sum(1, keepdims=True), 2, 1),
    ),
    "nn.batch_norm": (
        batch_norm, IMAGE,
        (IMAGE - _column(2)) / np.sqrt(_column(3) + 1e-5) * _column(0) + _column(1),
    ),
    "nn.layer_norm": (
        lambda x: relay.nn.layer_norm(x, relay.const(np.ones(4, "float32")), relay.const(np.zeros(4, "float32"))),
        CUBE, (CUBE - CUBE.mean(-1, keepdims=True)) / np.sqrt(CUBE.var(-1, keepdims=True) + 1e-5),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name: str) -> None:
    apply, value, expected = OPERATORS[name]
    x = relay.var("x", shape=value.shape)
    result = relay.create_executor("graph", relay.Function([x], apply(x)), tvm.cpu(), "llvm").evaluate()(value)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-4, atol=1e-5)


def test_variables_have_types() -> None:
    with pytest.raises(InvalidRelayExpr, match="x needs a type"):
        relay.var("x")
    with pytest.raises(InvalidRelayExpr, match="a type and a shape"):
        relay.var("x", relay.TensorType((2,)), shape=(2,))
    with pytest.raises(TypeError, match="a module, a function"):
        relay.build(3)
    assert str(relay.scalar_type("int32")) == str(relay.var("n", "int32").struct_info)
    assert len(relay.TupleType([relay.TensorType((2,))]).fields) == 1


def test_saved_parameters() -> None:
    params = {
        "a": np.arange(6, dtype="float16").reshape(2, 3), "b": np.array([True, False]), "c": np.array(3, "int64"),
    }  # fmt: skip
    data = relay.save_param_dict(params)
    loaded = relay.load_param_dict(data)
    assert list(loaded) == list(params)
    for name, value in params.items():
        np.testing.assert_array_equal(loaded[name].numpy(), value)
    for size in range(0, len(data), 7):
        with pytest.raises(DamagedParams):
            relay.load_param_dict(data[:size])
    with pytest.raises(DamagedParams, match="another number"):
        relay.load_param_dict(b"x" * 100)
    huge = data[:16] + (1 << 60).to_bytes(8, "little") + data[24:]
    with pytest.raises(DamagedParams, match="end too early"):
        relay.load_param_dict(huge)


def test_downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_DATA_ROOT_PATH", str(tmp_path))
    with pytest.raises(NoDownload, match=r"put the file of https://x/cat\.png at"):
        download_testdata("https://x/cat.png", "cat.png", module="data")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "cat.png").touch()
    assert download_testdata("https://x/cat.png", "cat.png", module="data") == str(tmp_path / "data" / "cat.png")
    with pytest.raises(NoDownload, match="is no name"):
        download_testdata("https://x/cat.png", "cat.png", module="../..")


@pytest.mark.parametrize(
    ("module", "name", "reason"),
    [
        (relay.op, "contrib", "FuseOpsByPattern"),
        (relay.op, "get", r"relay\.add"),
        (relay.nn, "max_pool3d", r"R\.nn\.max_pool3d"),
        (relay.frontend, "common", "helpers of TVM's importers"),
        (relay.frontend, "from_mxnet", "use from_onnx"),
    ],
)
def test_absent_names_say_why(module: object, name: str, reason: str) -> None:
    with pytest.raises(AttributeError, match=f"has no attribute '{name}': .*{reason}"):
        getattr(module, name)


def test_modules_under_two_paths() -> None:
    assert relay.op.nn is relay.nn
    assert relay.frontend.onnx.from_onnx is relay.frontend.from_onnx
    assert relay.frontend.pytorch.from_pytorch is relay.frontend.from_pytorch


def test_importers() -> None:
    """Weights of an ONNX model are constants, or parameters with values; TorchScript goes to torch's importer."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    helper = onnx.helper
    tensor = onnx.numpy_helper.from_array(PARAMS["w"].T.copy(), "w")
    graph = helper.make_graph(
        [helper.make_node("MatMul", ["x", "w"], ["y"])],
        "g",
        [helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, [2, 3])],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, [2, 4])],
        [tensor],
    )
    model = helper.make_model(graph)
    for freeze in (True, False):
        mod, params = relay.frontend.from_onnx(model, {"x": (2, 3)}, freeze_params=freeze)
        assert list(params) == ([] if freeze else ["w"])
        lib = relay.build(mod, "llvm", params=params)
        module = graph_executor.GraphModule(lib["default"](tvm.cpu()))
        module.run(x=X)
        np.testing.assert_allclose(module.get_output(0).numpy(), X @ PARAMS["w"].T, rtol=1e-5)


@pytest.mark.filterwarnings("ignore:.*torch.jit:DeprecationWarning")
def test_traced_models() -> None:
    """Weights of a traced model are parameters with values."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU()).eval()
    mod, params = relay.frontend.from_pytorch(torch.jit.trace(model, torch.zeros(2, 3)), [("x", (2, 3))])
    assert "params" not in mod["main"].attrs
    assert len(params) == 2
    module = graph_executor.GraphModule(relay.build(mod, "llvm", params=params)["default"](tvm.cpu()))
    module.run(x=X)
    np.testing.assert_allclose(module.get_output(0).numpy(), model(torch.from_numpy(X)).detach().numpy(), rtol=1e-5)


def test_calls_of_functions_of_a_module() -> None:
    """The variable has the struct info of the function that the module gives it."""
    x, y, callee = relay.var("x", shape=(3,)), relay.var("y", shape=(3,)), relay.GlobalVar("double")
    module = tvm.IRModule()
    module[callee] = relay.Function([x], relay.add(x, x))
    module["main"] = relay.Function([y], relay.Call(callee, [relay.multiply(y, y)]))
    function = relay.create_executor("vm", mod=module).evaluate()
    np.testing.assert_array_equal(function(np.array([1, 2, 3], "float32")).numpy(), [2, 8, 18])
