"""Kernels of the default GPU schedules have no faults; without a barrier that they need, they race."""

from __future__ import annotations

import pytest

from tvmscript import dlight, lower, te, topi
from tvmscript.backends.interp.sanitizer import run_sanitized
from tvmscript.backends.runtime.random_inputs import random_inputs
from tvmscript.ir.core import IRModule, nodes, on
from tvmscript.ir.core.targets.target import Target
from tvmscript.ir.tir import Call, Evaluate, IntImm, PrimFunc, StatementRewriter
from tvmscript.ir.transform.pipeline import is_kernel


def _softmax() -> PrimFunc:
    rows = te.placeholder((1, 70), name="A")
    return te.create_prim_func([rows, topi.nn.softmax(rows)])


def _transpose() -> PrimFunc:
    matrix = te.placeholder((40, 24), name="A")
    return te.create_prim_func([matrix, topi.transpose(matrix)])


def _matmul() -> PrimFunc:
    left, right = te.placeholder((16, 32), name="A"), te.placeholder((32, 16), name="B")
    return te.create_prim_func([left, right, topi.matmul(left, right)])


#: operator, and how many of its barriers are needed for nothing: thread 0 alone reads what it has reduced
_OPERATORS = {"softmax": (_softmax, 2), "transpose": (_transpose, 0), "matmul": (_matmul, 0)}


def _lowered(name: str) -> tuple[IRModule, list[object]]:
    func = _OPERATORS[name][0]()
    with Target.make("nvidia/nvidia-a100"):
        rules = (dlight.gpu.Matmul(), dlight.gpu.GeneralReduction(), dlight.gpu.Transpose(), dlight.gpu.Fallback())
        module = dlight.ApplyDefaultSchedule(*rules)(IRModule({"main": func}))
    return lower(module, "cuda"), [argument.value for argument in random_inputs(func)]


def _barriers(module: IRModule) -> list[Call]:
    kernels = [func for func in module.functions.values() if is_kernel(func)]
    return [
        node
        for kernel in kernels
        for node in nodes(kernel)
        if isinstance(node, Call) and getattr(node.op, "name", "") == "tir.tvm_storage_sync"
    ]


class _Removal(StatementRewriter):
    def __init__(self, barrier: Call) -> None:
        super().__init__()
        self.barrier = barrier

    @on(Evaluate)
    def evaluate(self, node: Evaluate) -> Evaluate:
        return Evaluate(IntImm("int32", 0)) if node.value is self.barrier else node


@pytest.mark.parametrize("name", _OPERATORS)
def test_barriers(name: str) -> None:
    module, args = _lowered(name)
    assert run_sanitized(module, "main", args, all_blocks=False).errors == ()
    barriers = _barriers(module)
    races = 0
    for barrier in barriers:
        functions = {
            var: func.with_body(_Removal(barrier).rewrite(func.body)) if isinstance(func, PrimFunc) else func
            for var, func in module.functions.items()
        }
        report = run_sanitized(module.replace(functions=functions), "main", args, all_blocks=False)
        races += "TS5040" in {error.code for error in report.errors}
    assert races == len(barriers) - _OPERATORS[name][1] > 0
