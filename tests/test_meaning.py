"""One meaning: Python's integers, the interpreter and LLVM agree on random expressions, bit by bit."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings

import tvmscript
from tvmscript.fuzz.codegen.integer_kernels import ROWS, kernels
from tvmscript.fuzz.programs.python_integers import evaluate
from tvmscript.ir.core.dtype import BOOL
from tvmscript.ir.tir.base import Expr
from tvmscript.ir.tir.expr import Var
from tvmscript.ir.tir.function import PrimFunc


def run(func: PrimFunc, target: str, expressions: list[Expr], variables: list[Var], rows: list[list[int]]) -> list[Any]:
    """The outputs of a kernel under a target."""
    arrays = [np.array(column, dtype=str(var.dtype)) for var, column in zip(variables, rows, strict=True)]
    outs = [np.zeros(ROWS, dtype=str(expr.dtype)) for expr in expressions]
    tvmscript.build(func, target=target)["main"](*arrays, *outs)
    return [out.tolist() for out in outs]


@settings(max_examples=40)
@given(kernels())
def test_integers(kernel: tuple[PrimFunc, list[Var], list[Expr], list[list[int]]]) -> None:
    func, variables, expressions, rows = kernel
    expected: list[Any] = []
    for expr in expressions:
        values = [evaluate(expr, dict(zip(variables, row, strict=True))) for row in zip(*rows, strict=True)]
        expected.append([bool(v) for v in values] if expr.dtype is BOOL else values)
    assert run(func, "interp", expressions, variables, rows) == expected
    assert run(func, "llvm", expressions, variables, rows) == expected
