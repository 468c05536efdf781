"""TVM's spelling of things reaches the same things."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript as tvm
from tvmscript.driver import UnknownTarget
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import DuplicateName
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.ir.tir.expr import Var
from tvmscript.ir.transform.expressions.simplify import Simplify
from tvmscript.tvm_names import AbsentName

TEXT = """
@T.prim_func
def fill(A: T.Buffer((4,), "float32"), value: T.float32):
    for i in range(4):
        A[i + 0] = value
"""


def test_modules() -> None:
    assert tvm.tir.Var is Var
    assert tvm.tir.transform.Simplify is Simplify
    assert isinstance(tvm.transform.get_pass("tir.Simplify"), Simplify)
    assert tvm.script.from_source is tvm.from_source
    assert tvm.ir.structural_equal is structural_equal


def test_arrays_and_targets() -> None:
    built = tvm.build(tvm.from_source(TEXT), target=tvm.target.Target("llvm -mcpu=x86-64"))
    array = tvm.nd.array(np.zeros(4, "float32"), device=tvm.cpu(0))
    built["fill"](array, 2.5)
    np.testing.assert_array_equal(array.numpy(), [2.5] * 4)
    assert built.time_evaluator("fill", tvm.cpu(0), number=3)(array, 1.0).mean > 0


def test_a_pass_takes_functions_and_modules() -> None:
    func = tvm.from_source(TEXT)
    made = tvm.tir.transform.Simplify()(func)
    assert "A[i] = value" in made.script()
    assert "A[T.Add(i, 0)] = value" in func.script()
    both = tvm.transform.Sequential((tvm.tir.transform.Simplify(), tvm.tir.transform.RemoveNoOp()))
    assert structural_equal(both(tvm.IRModule({tvm.GlobalVar("fill"): func}))["fill"], made)


def test_targets_without_a_backend() -> None:
    for use, target in ((tvm.build, "metal"), (tvm.lower, "hexagon")):
        with pytest.raises(UnknownTarget, match=f"there is no backend for the target '{target}'") as caught:
            use(tvm.from_source(TEXT), target=target)
        assert caught.value.code == "TS7001"


@pytest.mark.parametrize("name", ["auto_scheduler", "autotvm", "meta_schedule"])
def test_names_of_tvm_that_are_not_here(name: str) -> None:
    """The error says what there is; other names have no reason."""
    with pytest.raises(AbsentName, match=f"tvm.{name}.schedule is absent: ."):
        getattr(tvm, name).schedule()
    with pytest.raises(AttributeError, match=r"no attribute 'no_such_name'$"):
        getattr(tvm, "no_such_name")  # noqa: B009


def test_targets_are_read_and_told() -> None:
    """The values are those of TVM 0.17."""
    target: Any = tvm.target.Target
    cuda = target({"kind": "cuda", "arch": "sm_80"}, host="llvm")
    assert (cuda.kind.name, cuda.arch, cuda.max_num_threads, cuda.thread_warp_size) == ("cuda", "sm_80", 1024, 32)
    assert (cuda.model, cuda.libs, cuda.device_name, str(cuda.host)) == ("unknown", [], "", "llvm -keys=cpu")
    assert target(cuda).kind == "cuda"
    assert target(cuda.export()).export() == cuda.export()
    a100 = target("nvidia/nvidia-a100")
    assert (a100.kind.name, a100.arch, a100.attrs["max_shared_memory_per_block"]) == ("cuda", "sm_80", 49152)
    assert "nvidia/nvidia-a100" in tvm.target.list_tags()
    assert tvm.target.cuda(arch="sm_75").attrs["arch"] == "sm_75"
    assert target("opencl -device=mali").keys == ("mali", "opencl", "gpu")
    assert str(target("cuda -arch=sm_80").with_host("llvm -mcpu=skylake").host) == "llvm -keys=cpu -mcpu=skylake"
    with pytest.raises(InvalidTarget, match="nope"):
        target("nope")
    with pytest.raises(AttributeError, match="no attribute 'max_num_threads'"):
        _ = target("llvm").max_num_threads


def test_arrays_and_devices_have_tvms_methods() -> None:
    array = tvm.nd.array(np.arange(4, dtype="float32"), tvm.cpu(0))
    assert array.asnumpy().sum() == 6
    array[:] = np.ones(4)
    other = tvm.nd.empty((4,), "float32")
    assert array.copyto(other).numpy().tolist() == [1.0] * 4
    assert array.copyto(tvm.cpu(0)) is not array
    assert (str(tvm.device("cuda", 1)), tvm.device("llvm").exist, tvm.device("cuda").exist) == ("cuda(1)", True, False)
    assert tvm.cpu().max_threads_per_block is None


def test_functions_are_registered_by_name() -> None:
    tvm.register_func("tests.front_doors.add", lambda a, b: a + b, override=True)
    assert tvm.get_global_func("tests.front_doors.add")(1, 2) == 3
    tvm.register_func("tests.front_doors.fill", lambda x, y: x.copyfrom(np.full(x.shape, y, x.dtype)), override=True)
    array = tvm.nd.empty((2, 3))
    tvm.get_global_func("tests.front_doors.fill")(array, 7)
    assert array.numpy().tolist() == [[7.0] * 3] * 2
    assert tvm.get_global_func("tests.no_such_function", allow_missing=True) is None
    with pytest.raises(ValueError, match="no_such_function"):
        tvm.get_global_func("tests.no_such_function")
    with pytest.raises(DuplicateName):
        tvm.register_func("tests.front_doors.add", print)


def test_constants_have_tvms_dtypes() -> None:
    values: Any = (np.uint8(3), np.float64(2.5), np.float16(1), 1e300, 1 << 40, 1.5, True, float("inf"))
    dtypes = [str(tvm.tir.const(value).dtype) for value in values]
    assert dtypes == ["uint8", "float64", "float16", "float64", "int64", "float32", "bool", "float64"]


def test_building_with_tvms_arguments() -> None:
    func = tvm.from_source(TEXT)
    assert [var.name_hint for var in tvm.lower(func).get_global_vars()] == ["main"]
    assert [var.name_hint for var in tvm.lower(func, name="foo").get_global_vars()] == ["foo"]
    built = tvm.build({"llvm": tvm.IRModule({"main": func})}, "llvm")
    assert built.entry_name == "__tvm_main__"
    assert tvm.build(func, name="hey").get_function("hey") is not None


def test_graph_functions_take_parameters_and_sizes() -> None:
    """As in TVM, the constant's sizes are bound too."""
    func = tvm.from_source(
        """
@R.function
def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, "m"), "float32")):
    with R.dataflow():
        y = R.matmul(x, w)
        R.output(y)
    return y
"""
    )
    assert str(func.bind_symbolic_vars({"n": 8}).ret_struct_info) == 'R.Tensor((8, m), dtype="float32")'
    bound = func.bind_params({"w": np.ones((4, 2), "float32")})
    assert len(bound.params) == 1
    assert str(bound.ret_struct_info) == 'R.Tensor((n, 2), dtype="float32")'
    with pytest.raises(ValueError, match="no parameter named v"):
        func.bind_params({"v": 1})
    with pytest.raises(ValueError, match="no size named k"):
        func.bind_symbolic_vars({"k": 1})
