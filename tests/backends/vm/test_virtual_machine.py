"""The face of `VirtualMachine`: steps, saved calls, measurements, errors."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript import relax
from tvmscript.backends.runtime.errors import UnknownFunction, WrongKeywords, WrongNumberOfArguments
from tvmscript.backends.vm.errors import NoInputs, UnsupportedDevice
from tvmscript.backends.vm.memory import HostMemory, MemoryBlock
from tvmscript.ir.core import WrongType

_DOUBLING = tvm.from_source("""
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def double(A: T.Buffer((T.int64(4),), "float32"), B: T.Buffer((T.int64(4),), "float32")):
        for i in range(4):
            with T.block("B"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi] + A[vi]

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        cls = Module
        y = R.call_tir(cls.double, (x,), R.Tensor((4,), "float32"))
        return y
""")


@pytest.fixture
def vm() -> relax.VirtualMachine:
    return relax.VirtualMachine(relax.build(_DOUBLING), tvm.cpu())


_X = np.arange(4, dtype="float32")


def test_steps(vm: relax.VirtualMachine) -> None:
    vm.set_input("main", x=_X)
    vm.invoke_stateful("main")
    np.testing.assert_array_equal(vm.get_outputs("main").numpy(), _X + _X)


def test_steps_in_wrong_order(vm: relax.VirtualMachine) -> None:
    with pytest.raises(NoInputs, match="invoke_stateful of main comes before set_input"):
        vm.invoke_stateful("main")
    with pytest.raises(NoInputs, match="get_outputs of main comes before invoke_stateful"):
        vm.get_outputs("main")


def test_saved_calls(vm: relax.VirtualMachine) -> None:
    vm.save_function("main", "with_result", _X)
    vm.save_function("main", "without_result", _X, include_return=False)
    np.testing.assert_array_equal(vm["with_result"]().numpy(), _X + _X)
    assert vm["without_result"]() is None


def test_keywords(vm: relax.VirtualMachine) -> None:
    with pytest.raises(WrongKeywords, match="unexpected keywords z"):
        vm.set_input("main", z=_X)
    with pytest.raises(WrongNumberOfArguments, match=r"main takes 1 arguments, but got 0\n.*missing: x"):
        vm.set_input("main")
    with pytest.raises(WrongNumberOfArguments, match="main takes 1 arguments, but got 2"):
        vm.save_function("main", "saved", _X, _X)


def test_unknown_function(vm: relax.VirtualMachine) -> None:
    with pytest.raises(UnknownFunction, match="no function named other"):
        vm["other"]


def test_closures(vm: relax.VirtualMachine) -> None:
    np.testing.assert_array_equal(vm.invoke_closure(vm["main"], _X).numpy(), _X + _X)


def test_measurement(vm: relax.VirtualMachine) -> None:
    result = vm.time_evaluator("main", tvm.cpu(), number=2, repeat=3)(_X)
    assert len(result.results) == 3
    assert result.min > 0


@pytest.mark.parametrize("devices", [[tvm.cuda(0)], [tvm.cpu(), tvm.cuda(0)]])
def test_devices_that_do_not_fit(devices: list[tvm.Device]) -> None:
    with pytest.raises(UnsupportedDevice, match="not on cuda"):
        relax.VirtualMachine(relax.build(_DOUBLING, "interp"), devices)


@pytest.mark.parametrize("devices", [[], "cpu", 0, [tvm.cpu(), "cpu"], ["cpu", tvm.cpu()]])
def test_what_is_no_device(devices: Any) -> None:
    with pytest.raises(WrongType, match="a virtual machine takes devices"):
        relax.VirtualMachine(relax.build(_DOUBLING, "interp"), devices)


def test_several_devices_of_a_kind() -> None:
    vm = relax.VirtualMachine(relax.build(_DOUBLING, "interp"), [tvm.cpu(), tvm.cpu()])
    np.testing.assert_array_equal(vm["main"](_X).numpy(), _X + _X)


def test_temporary_storage_is_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    module: Any = tvm.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4, 4), "float32")):
        y = R.matmul(x, x)
        z = R.matmul(y, x)
        w = R.matmul(z, x)
        return w
""")
    blocks: list[MemoryBlock] = []
    take_block = HostMemory.take_block

    def note(memory: HostMemory, size: int) -> MemoryBlock:
        blocks.append(take_block(memory, size))
        return blocks[-1]

    monkeypatch.setattr(HostMemory, "take_block", note)
    main: Any = relax.VirtualMachine(relax.build(module, "llvm"), tvm.cpu())["main"]
    for factor in (1, 2):
        x = np.eye(4, dtype="float32") * factor
        np.testing.assert_array_equal(main(x).numpy(), x**4)
    assert len(blocks) == 2
    assert blocks[0] is blocks[1]


@pytest.mark.parametrize("target", ["llvm", "interp"])
@pytest.mark.parametrize("exec_mode", ["compiled", "bytecode"])
def test_read_only_arrays_are_inputs(target: str, exec_mode: Literal["compiled", "bytecode"]) -> None:
    module: Any = tvm.from_source("""
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.add(x, x)
        z = R.multiply(y, x)
        return z
""")
    x = np.arange(4, dtype="float32")
    x.flags.writeable = False
    main: Any = relax.VirtualMachine(relax.build(module, target, exec_mode=exec_mode), tvm.cpu())["main"]
    np.testing.assert_array_equal(main(x).numpy(), 2 * x * x)
