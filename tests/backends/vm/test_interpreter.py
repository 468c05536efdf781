"""Graph functions that are interpreted: control flow, closures, packed functions, printing, memory; values by NumPy."""

from __future__ import annotations

import inspect
import sys
from types import FrameType
from typing import Any, Literal

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.runtime.errors import (
    KernelAssertion,
    TooManyCalls,
    UndecidedShape,
    UnknownFunction,
    Unsupported,
    WrongArrayDType,
    WrongArrayRank,
    WrongArrayShape,
    WrongNumberOfArguments,
    WrongScalar,
)
from tvmscript.ir.core import GlobalVar, IRModule
from tvmscript.ir.relax.transform.normal_form.lambda_lift import LambdaLift
from tvmscript.ir.relax.transform.vm.vm_builtin_lower import VMBuiltinLower

_MODULE = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32")):
        for i in range(4):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi] + A[vi]

    @R.function
    def twice(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        y = R.call_tir(cls.double, (x,), R.Tensor((4,), "float32"))
        z = R.call_tir(cls.double, (y,), R.Tensor((4,), "float32"))
        return z

    @R.function
    def choose(c: R.Tensor((), "bool"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        if c:
            y = cls.twice(x)
            r = y
        else:
            y = R.add(x, x)
            r = y
        return r

    @R.function
    def closure(x: R.Tensor((4,), "float32"), sized: R.Tensor(("n",), "float32")):
        n = T.int64()
        @R.function
        def inner(y: R.Tensor((4,), "float32")):
            z = R.subtract(y, x)
            q = R.add(z, R.ones(R.shape([n]), "float32"))
            return q
        w = inner(R.add(x, x))
        v = inner(w)
        return v

    @R.function
    def down(n: R.Tensor((), "int64"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        c = R.less(n, R.const(1, "int64"))
        if c:
            r = x
        else:
            m = R.subtract(n, R.const(1, "int64"))
            y = R.add(x, x)
            r = cls.down(m, y)
        return r

    @R.function
    def sum_down(n: R.Tensor((), "int64"), x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        cls = Module
        c = R.less(n, R.const(1, "int64"))
        if c:
            r = x
        else:
            m = R.subtract(n, R.const(1, "int64"))
            y = cls.sum_down(m, x)
            r = R.add(x, y)
        return r

    @R.function(pure=False)
    def packed(x: R.Tensor((4,), "float32")) -> R.Object:
        s = R.str("name")
        y = R.call_packed("tests.vm.add_number", x, R.prim_value(2), s, sinfo_args=R.Tensor((4,), "float32"))
        z = R.call_pure_packed("tests.vm.add_number", y, R.prim_value(3), s, sinfo_args=R.Tensor((4,), "float32"))
        w = R.call_inplace_packed("tests.vm.negate", z, inplace_indices=0, sinfo_args=R.Tensor((4,), "float32"))
        return w

    @R.function(pure=False)
    def printing(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        a = R.print(R.shape([n]), format="shape {}")
        b = R.assert_op(c, x, format="wrong {}")
        return R.tuple()

    @R.function(pure=False)
    def memory(x: R.Tensor((4,), "float32")):
        R.func_attr({"relax.force_pure": True})
        cls = Module
        storage = R.memory.alloc_storage(R.shape([32]), R.prim_value(0), R.str("global"), R.dtype("float32"))
        y = R.memory.alloc_tensor(storage, R.prim_value(16), R.shape([4]), R.dtype("float32"))
        cls.double(x, y)
        z = R.builtin.alloc_tensor(R.shape([4]), R.dtype("float32"), R.prim_value(0), R.str("global"))
        cls.double(y, z)
        k = R.memory.kill_tensor(y)
        return z

    @R.function(pure=False)
    def shapes(x: R.Tensor(ndim=2, dtype="float32")):
        s = R.shape_of(x)
        y = R.match_cast(x, R.Tensor((2, "m"), "float32"))
        m = T.int64()
        t = R.shape_to_tensor(R.shape([m, m + 1]))
        u = R.tensor_to_shape(t)
        v = R.reshape(y, R.shape([m, 2]))
        return (s, t, u, v, R.prim_value(m * 3))

    @R.function(pure=False)
    def missing(x: R.Tensor((4,), "float32")):
        y = R.call_packed("tests.vm.no_such_function", x, sinfo_args=R.Tensor((4,), "float32"))
        return y

    @R.function(pure=False)
    def unsupported(x: R.Tensor((4,), "float32")):
        y = R.ccl.allreduce(x, "sum")
        return y
"""
_X = np.arange(4, dtype="float32")


def _add_number(x: Any, number: int, name: str) -> Any:
    assert name == "name"
    return tvm.nd.array(np.add(np.from_dlpack(x), number))


def _negate(x: Any) -> Any:
    values = np.from_dlpack(x)
    return tvm.nd.from_dlpack(np.negative(values, out=values))


tvm.register_func("tests.vm.add_number", _add_number)
tvm.register_func("tests.vm.negate", _negate)


@pytest.fixture(scope="module", params=["compiled", "bytecode"])
def vm(request: pytest.FixtureRequest) -> relax.VirtualMachine:
    module = tvm.from_source(_MODULE, check_well_formed=False)
    # as it is written: operators are not legalized
    return relax.VirtualMachine(relax.build(module, pipeline=lambda mod: mod, exec_mode=request.param), tvm.cpu())


@pytest.mark.parametrize(("condition", "factor"), [(True, 4), (False, 2)])
def test_conditionals(vm: relax.VirtualMachine, condition: bool, factor: int) -> None:
    np.testing.assert_array_equal(vm["choose"](np.array(condition), _X).numpy(), factor * _X)


def test_local_functions_capture_values(vm: relax.VirtualMachine) -> None:
    np.testing.assert_array_equal(vm["closure"](_X, _X).numpy(), np.full(4, 2, "float32"))


def test_lifted_functions_take_captured_values_and_sizes_last() -> None:
    lifted = LambdaLift()(IRModule({GlobalVar("main"): tvm.from_source(_MODULE, check_well_formed=False)["closure"]}))
    for module in (lifted, VMBuiltinLower()(lifted)):
        vm = relax.VirtualMachine(relax.build(module, pipeline=lambda mod: mod, exec_mode="bytecode"), tvm.cpu())
        np.testing.assert_array_equal(vm["main"](_X, _X).numpy(), np.full(4, 2, "float32"))


def test_recursion(vm: relax.VirtualMachine) -> None:
    np.testing.assert_array_equal(vm["down"](np.array(5), _X).numpy(), 32 * _X)
    np.testing.assert_array_equal(vm["sum_down"](np.array(5), _X).numpy(), 6 * _X)
    with pytest.raises(TooManyCalls, match="sum_down"):
        vm["sum_down"](np.array(100000), _X)


def test_calls_at_the_end_of_a_function_are_a_loop(vm: relax.VirtualMachine) -> None:
    np.testing.assert_array_equal(vm["down"](np.array(1000), 0 * _X).numpy(), 0 * _X)


def test_packed_functions(vm: relax.VirtualMachine) -> None:
    np.testing.assert_array_equal(vm["packed"](_X).numpy(), -(_X + 5))


def test_printing(vm: relax.VirtualMachine, capsys: pytest.CaptureFixture[str]) -> None:
    assert vm["printing"](_X, np.array(True)) == []
    assert capsys.readouterr().out == "shape (4,)\n"
    with pytest.raises(KernelAssertion, match=r"printing: wrong \[0. 1. 2. 3.\]"):
        vm["printing"](_X, np.array(False))


def test_memory(vm: relax.VirtualMachine) -> None:
    np.testing.assert_array_equal(vm["memory"](_X).numpy(), 4 * _X)


def test_shapes(vm: relax.VirtualMachine) -> None:
    x = np.arange(6, dtype="float32").reshape(2, 3)
    shape, tensor, back, reshaped, scalar = vm["shapes"](x)
    assert (shape, back, scalar) == ((2, 3), (3, 4), 9)
    np.testing.assert_array_equal(tensor.numpy(), [3, 4])
    np.testing.assert_array_equal(reshaped.numpy(), x.reshape(3, 2))
    with pytest.raises(WrongArrayShape, match="shapes: the array y takes the extent 2 in dimension 0, but got 3"):
        vm["shapes"](np.zeros((3, 2), "float32"))


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ((_X,), WrongNumberOfArguments, "printing takes 2 arguments"),
        ((_X, _X > 1), WrongArrayRank, "printing: the array c takes 0 dimensions"),
        ((_X, np.array(1)), WrongArrayDType, "printing: the array c takes bool"),
    ],
)
def test_arguments_are_checked(
    vm: relax.VirtualMachine, args: tuple[Any, ...], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        vm["printing"](*args)


@pytest.mark.parametrize("mode", ["compiled", "bytecode"])
def test_arguments_that_contradict_each_other_are_named_both(mode: Literal["compiled", "bytecode"]) -> None:
    func = tvm.from_source("""
@R.function
def main(x: R.Tensor(("n", 3), "float32"), s: R.Shape(["n"])):
    return x
""")
    executable = relax.build(IRModule({GlobalVar("main"): func}), exec_mode=mode)
    vm = relax.VirtualMachine(executable, tvm.cpu())
    with pytest.raises(WrongArrayShape, match=r"hint: . has the size n too") as caught:
        vm["main"](np.zeros((4, 3), "float32"), (5,))
    assert {caught.value.facts["name"], (caught.value.hint or "")[0]} == {"x", "s"}
    with pytest.raises(WrongArrayShape, match="x takes the extent 3 in dimension 1") as caught:
        vm["main"](np.zeros((4, 2), "float32"), (4,))
    assert caught.value.hint is None


def test_functions_that_are_missing(vm: relax.VirtualMachine) -> None:
    with pytest.raises(UnknownFunction, match=r"tests.vm.no_such_function"):
        vm["missing"](_X)
    with pytest.raises(Unsupported, match=r"R.ccl.allreduce is not available in the virtual machine"):
        vm["unsupported"](_X)


def test_profile(vm: relax.VirtualMachine) -> None:
    profile = vm.profile("twice", _X)
    ((name, shapes),) = profile.kernels
    assert (name, shapes) == ("double", "float32[4], float32[4]")
    assert profile.kernels[name, shapes].count == 2
    assert profile.kernels[name, shapes].bytes == 32
    assert profile.table().splitlines()[1].startswith("double ")


_PRODUCT = """
@R.function
def main(x: R.Tensor(("n", 8), "float32"), w: R.Tensor((8, 4), "float32")):
    return R.matmul(x, w)
"""


def test_profile_counts_operations() -> None:
    machine = relax.VirtualMachine(relax.build(tvm.IRModule({"main": tvm.from_source(_PRODUCT)})), tvm.cpu())
    profile = machine.profile("main", np.ones((3, 8), "float32"), np.ones((8, 4), "float32"))
    (row,) = profile.kernels.values()
    assert (row.count, row.operations) == (1, 2 * 3 * 8 * 4)
    head, line, _ = profile.table().splitlines()
    assert head.split()[-3:] == ["GB/s", "GFLOP/s", "arguments"]
    assert float(line.split()[6]) == pytest.approx(row.operations / row.seconds / 1e9, abs=0.01)


def test_instrument(vm: relax.VirtualMachine) -> None:
    calls: list[tuple[str, bool]] = []
    vm.set_instrument(lambda function, name, before, result, *args: calls.append((name, before)))
    np.testing.assert_array_equal(vm["twice"](_X).numpy(), 4 * _X)
    vm.set_instrument(None)
    vm["twice"](_X)
    assert calls == [("double", True), ("double", False)] * 2


def test_instrument_that_skips_kernels(vm: relax.VirtualMachine) -> None:
    ran: list[str] = []

    def skip(function: object, name: str, before: bool, result: object, *args: object) -> relax.VMInstrumentReturnKind:
        if not before:
            ran.append(name)
        return relax.VMInstrumentReturnKind.SKIP_RUN if before else relax.VMInstrumentReturnKind.NO_OP

    vm.set_instrument(skip)
    assert vm["twice"](_X).numpy().shape == _X.shape
    vm.set_instrument(None)
    assert ran == []


_LOOKING = """
@R.function(pure=False)
def main(x: R.Tensor(("n",), "float32")):
    n = T.int64()
    y = R.add(x, x)
    print(f"{y=} {y:.2f} {n=}", x, sep=", ")
    breakpoint()
    return y
"""


def test_print_and_breakpoint(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[tuple[int, dict[str, Any]]] = []

    def stop() -> None:
        here = inspect.currentframe()
        assert here is not None
        frame = here.f_back
        assert frame is not None
        stops.append((frame.f_lineno, dict(frame.f_locals)))

    monkeypatch.setattr(sys, "breakpointhook", stop)
    program = tvm.from_source(_LOOKING)
    assert tvm.ir.structural_equal(tvm.from_source(program.script()), program)
    main = relax.VirtualMachine(relax.build(tvm.IRModule({"main": program})), tvm.cpu())["main"]
    np.testing.assert_array_equal(main(np.ones(2, "float32")).numpy(), [2, 2])
    assert capsys.readouterr().out == "y=[2. 2.] [2.00 2.00] n=2, [1. 1.]\n"
    ((line, values),) = stops
    assert line == 7
    assert values["y"].tolist() == [2, 2]


_STEPS = """@I.ir_module
class Module:
    @R.function(pure=False)
    def main(x: R.Tensor(("n",), "float32"), c: R.Tensor((), "bool")):
        n = T.int64()
        breakpoint()
        if c:
            z = R.exp(x)
        else:
            u = R.add(x, x)
            z = R.negative(u)
        w = Module.helper(z)
        return w

    @R.function(private=True)
    def helper(a: R.Tensor(("n",), "float32")):
        n = T.int64()
        return R.add(a, a)
"""


@pytest.mark.parametrize(("choice", "lines"), [(True, [7, 8, 12]), (False, [7, 10, 11, 12])])
def test_a_debugger_steps_through_bindings(choice: bool, lines: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    stops: list[int] = []
    seen: dict[str, Any] = {}

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line" and frame.f_code.co_filename == "<text>":
            stops.append(frame.f_lineno)
            seen.update(frame.f_locals)
        return trace

    before = sys.gettrace()
    monkeypatch.setattr(sys, "breakpointhook", lambda: sys.settrace(trace))
    main = relax.VirtualMachine(relax.build(tvm.from_source(_STEPS)), tvm.cpu())["main"]
    try:
        result = main(np.ones(2, "float32"), np.array(choice))
    finally:
        sys.settrace(before)
    assert list(dict.fromkeys(stops)) == lines
    assert seen["n"] == 2
    np.testing.assert_allclose(seen["z"], np.full(2, np.e if choice else -2), rtol=1e-6)
    np.testing.assert_allclose(result.numpy(), 2 * seen["z"], rtol=1e-6)


def test_a_variable_that_a_branch_returns_is_shown_at_the_line_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at the line that defines it."""
    text = """@R.function(pure=False)
def main(x: R.Tensor((2,), "float32"), c: R.Tensor((), "bool")):
    if c:
        z = R.add(x, x)
    else:
        print("no")
        breakpoint()
        z = x
    return z
"""
    stops: list[int] = []

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line" and frame.f_code.co_filename == "<text>":
            stops.append(frame.f_lineno)
        return trace

    before = sys.gettrace()
    monkeypatch.setattr(sys, "breakpointhook", lambda: sys.settrace(trace))
    module = tvm.IRModule({"main": tvm.from_source(text)})
    main = relax.VirtualMachine(relax.build(module), tvm.cpu())["main"]
    try:
        main(np.ones(2, "float32"), np.array(False))
    finally:
        sys.settrace(before)
    assert set(stops) <= {7}


def test_text_and_reasons() -> None:
    executable = relax.build(tvm.from_source(_MODULE, check_well_formed=False))
    assert executable.reasons["choose"] == "a conditional"
    assert "twice" not in executable.reasons
    assert "workspace" in executable.as_text()
    assert "choose: interpreted" in executable.stats()


@pytest.mark.parametrize(
    ("info", "value", "error"),
    [
        ("R.Shape(ndim=2)", (1, 2, 3), WrongScalar),
        ("R.Shape(ndim=2)", 3, WrongScalar),
        ('R.Prim("int64")', "text", WrongScalar),
        ("R.Tuple(R.Object, R.Object)", (1,), WrongScalar),
        ("R.Callable((R.Object,), R.Object)", 1, WrongScalar),
    ],
)
def test_values_of_other_kinds(info: str, value: Any, error: type[Exception]) -> None:
    module = tvm.from_source(f"@R.function\ndef main(x: {info}, o: R.Object):\n    return o\n")
    vm = relax.VirtualMachine(relax.build(tvm.IRModule({"main": module})), tvm.cpu())
    with pytest.raises(error, match="main: x takes"):
        vm["main"](value, None)


def test_sizes_that_nothing_decides() -> None:
    text = """
@R.function
def main(x: R.Tensor(("n * n",), "float32"), o: R.Object):
    n = T.int64()
    return (o, R.shape([n]))
"""
    module = tvm.from_source(text, check_well_formed=False)
    vm = relax.VirtualMachine(relax.build(tvm.IRModule({"main": module})), tvm.cpu())
    with pytest.raises(UndecidedShape, match="main: no argument determines the size n"):
        vm["main"](_X, None)


@pytest.mark.parametrize("exec_mode", ["bytecode", "compiled"])
def test_constants_without_elements(exec_mode: Any) -> None:
    module = tvm.from_source("""
@R.function
def main(x: R.Tensor((2,), "float32")):
    return (x, R.const([], "int64"))
""")
    executable = relax.build(tvm.IRModule({"main": module}), exec_mode=exec_mode)
    result = relax.VirtualMachine(executable, tvm.cpu())["main"](np.zeros(2, "float32"))[1].numpy()
    assert (result.shape, result.dtype) == ((0,), np.int64)


def test_results_are_no_constants() -> None:
    """A result may be changed: the next call returns the constant again."""
    module = tvm.from_source("""
@R.function
def main(x: R.Tensor((2,), "float32")):
    return (x, R.const([1, 2], "float32"))
""")
    vm = relax.VirtualMachine(relax.build(tvm.IRModule({"main": module}), exec_mode="bytecode"), tvm.cpu())
    x = np.zeros(2, "float32")
    vm["main"](x)[1].storage[:] = 7
    np.testing.assert_array_equal(vm["main"](x)[1].numpy(), [1, 2])


@pytest.mark.parametrize("exec_mode", ["bytecode", "compiled"])
def test_constants_of_columns_reach_kernels_compact(exec_mode: Literal["bytecode", "compiled"]) -> None:
    weight = np.arange(6, dtype="float32").reshape(2, 3).T
    builder = relax.BlockBuilder()
    x = relax.Var("x", relax.TensorStructInfo((4, 3), "float32"))
    with builder.function("main", [x]):
        builder.emit_func_output(builder.emit(relax.op.matmul(x, relax.const(weight))))
    vm = relax.VirtualMachine(relax.build(builder.get(), exec_mode=exec_mode), tvm.cpu())
    data = np.arange(12, dtype="float32").reshape(4, 3)
    np.testing.assert_array_equal(vm["main"](data).numpy(), data @ weight)
