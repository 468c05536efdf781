"""AttachExternModules: functions of external modules are global functions, each module has its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tvmscript
from tests.ir.relax.transform.graph_values import run
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.transform.fusion.attach_extern_modules import AttachExternModules

PROGRAM = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def kernel(A: T.Buffer((4,), "float32")):
        for i in range(4):
            A[i] = T.float32(0)

    @R.function
    def main(x: R.Tensor((4,), "float32")):
        y = R.call_pure_packed("tests.attached", x, sinfo_args=R.Tensor((4,), "float32"))
        z = R.call_pure_packed("vm.builtin.copy", y, sinfo_args=R.Tensor((4,), "float32"))
        return z
"""


class _Extern:
    """An external module with a function that scales an array."""

    def __init__(self, factor: int) -> None:
        self.factor = factor

    def load(self) -> dict[str, Callable[..., Any]]:
        return {"tests.attached": lambda x: tvmscript.nd.array(x.numpy() * self.factor)}


def test_each_module_calls_its_own() -> None:
    program = tvmscript.from_source(PROGRAM)
    assert isinstance(program, IRModule)
    modules = [AttachExternModules([_Extern(factor)])(program) for factor in (2, 3)]
    x = np.arange(4, dtype="float32")
    for factor, module in zip((2, 3), modules, strict=True):
        np.testing.assert_array_equal(run(module, x).numpy(), x * factor)
        assert module["kernel"] is program["kernel"]
    assert modules[1].script() == modules[0].script().replace('"tests.attached"', '"tests.attached_1"')


def test_without_modules() -> None:
    program = tvmscript.from_source(PROGRAM)
    assert AttachExternModules([])(program) is program
