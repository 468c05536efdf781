"""RunCodegen: functions with the attribute Codegen get the implementations of their code generator."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.ir.core import IRModule, UnknownName
from tvmscript.ir.relax.transform.errors import BadCodegenResult
from tvmscript.ir.relax.transform.fusion.fuse_ops_by_pattern import FuseOpsByPattern
from tvmscript.ir.relax.transform.fusion.run_codegen import RunCodegen
from tvmscript.ir.relax.verify import verify
from tvmscript.relax.dpl import is_op, wildcard
from tvmscript.runtime import remove_global_func

PROGRAM = """
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), y: R.Tensor((4,), "float32")):
        with R.dataflow():
            lv = R.add(x, R.const([1, 2, 3, 4], "float32"))
            lv1 = R.exp(lv)
            gv = R.multiply(lv1, y)
            R.output(gv)
        return gv
    @R.function
    def other(x: R.Tensor((4,), "float32")):
        with R.dataflow():
            gv = R.exp(x)
            R.output(gv)
        return gv
"""
PATTERNS = [("test_codegen.exp", is_op("relax.exp")(is_op("relax.add")(wildcard(), wildcard())))]
KERNEL = tvmscript.from_source("""
@T.prim_func
def kernel(x: T.Buffer((4,), "float32"), y: T.Buffer((4,), "float32")):
    for i in range(4):
        y[i] = T.exp(x[i] + T.Cast("float32", i) + T.float32(1))
""")


def _partitioned() -> IRModule:
    mod: IRModule = FuseOpsByPattern(PATTERNS, annotate_codegen=True)(tvmscript.from_source(PROGRAM))
    return mod


@pytest.fixture
def seen() -> Any:
    """The calls of the code generator; what it returns is `seen["result"]`."""
    calls: dict[str, Any] = {}

    def codegen(functions: Any, options: Any, constant_names: Any) -> Any:
        calls.update(functions=list(functions), options=dict(options), names=dict(constant_names))
        return calls["result"]

    tvmscript.register_func("relax.ext.test_codegen", codegen, override=True)
    yield calls
    remove_global_func("relax.ext.test_codegen")


def _run(mod: IRModule) -> Any:
    executable = relax.build(mod)
    assert executable.stats().startswith("main: native")
    x, y = np.arange(4, dtype="float32") / 4, np.full(4, 2, "float32")
    result: Any = relax.VirtualMachine(executable, tvmscript.cpu())["main"](x, y)
    np.testing.assert_allclose(result.numpy(), np.exp(x + np.array([1, 2, 3, 4], "float32")) * y, rtol=1e-5)
    return mod


def test_a_kernel(seen: Any) -> None:
    seen["result"] = [KERNEL]
    mod = RunCodegen(target_options={"test_codegen": {"level": 3}})(_partitioned())
    verify(mod)
    assert "R.call_tir(cls.fused_relax_add_relax_exp_test_codegen, (x,)" in mod.script()
    assert seen["options"] == {"level": 3}
    assert list(seen["names"].values()) == ["test_codegen_const_0"]
    assert [func.attrs["Codegen"] for func in seen["functions"]] == ["test_codegen"]
    _run(mod)


def test_python_functions_have_names_of_their_own(seen: Any) -> None:
    def plus_one_exp(x: Any, output: Any) -> None:
        np.exp(np.from_dlpack(x) + np.array([1, 2, 3, 4], "float32"), out=np.from_dlpack(output))

    def wrong(x: Any, output: Any) -> None:
        np.from_dlpack(output)[:] = 0

    mods = []
    for function in (plus_one_exp, wrong):
        seen["result"] = [function]
        mods.append(RunCodegen()(_partitioned()))
    assert mods[0].script() != mods[1].script()  # the second function does not replace the first one
    _run(mods[0])
    with pytest.raises(AssertionError):
        _run(mods[1])


def test_entry_functions(seen: Any) -> None:
    seen["result"] = [KERNEL]
    mod = _partitioned()
    assert RunCodegen(entry_functions=["other"])(mod) is mod
    assert RunCodegen(entry_functions=["main"])(mod) is not mod
    with pytest.raises(UnknownName):
        RunCodegen(entry_functions=["absent"])(mod)


@pytest.mark.parametrize("result", [[], [KERNEL, KERNEL], [3]])
def test_wrong_results(result: Any, seen: Any) -> None:
    seen["result"] = result
    with pytest.raises(BadCodegenResult):
        RunCodegen()(_partitioned())


def test_a_code_generator_that_is_missing() -> None:
    with pytest.raises(UnknownName, match=r"relax\.ext\.test_codegen"):
        RunCodegen()(_partitioned())
