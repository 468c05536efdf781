"""Estimates of work, calculated by hand."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import CallEffect
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import BufferStore
from tvmscript.tir import analysis


def _read(text: str) -> PrimFunc:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


_MATMUL = """
@T.prim_func
def main(A: T.Buffer((8, 4), "float16"), B: T.Buffer((4, 16), "float16"), C: T.Buffer((8, 16), "float32")):
    for i, j, k in T.grid(8, 16, 4):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = 0.0
            C[vi, vj] = C[vi, vj] + T.Cast("float32", A[vi, vk]) * T.Cast("float32", B[vk, vj])
"""


def test_operations_and_bytes() -> None:
    func = _read(_MATMUL)
    assert analysis.estimate_tir_flops(func) == 2 * 8 * 16 * 4
    assert analysis.estimate_tir_bytes(func) == (2 + 2 + 4 + 4) * 8 * 16 * 4
    module = IRModule({"a": func, "b": func})
    assert analysis.estimate_tir_bytes(module) == 2 * analysis.estimate_tir_bytes(func)


def test_what_tvm_refuses() -> None:
    """Allocations, calls, assertions and vectors count too; memory of a thread moves no bytes."""
    text = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    assert n > 0, "none"
    L = T.decl_buffer((4,), scope="local")
    for i in range(4):
        L[0:4] = A[i * 4:i * 4 + 4] * T.Broadcast(T.float32(2), 4)
        A[i * 4:i * 4 + 4] = L[0:4]
    T.evaluate(T.call_extern("int32", "f", n + 1))
"""
    assert analysis.estimate_tir_flops(_read(text)) == 4 * 4 + 1
    assert analysis.estimate_tir_bytes(_read(text)) == 4 * (16 + 16)


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("n + 1", CallEffect.PURE),
        ("A[n]", CallEffect.READ_STATE),
        ('T.call_extern("int32", "f", n)', CallEffect.UPDATE_STATE),
    ],
)
def test_side_effects(text: str, effect: CallEffect) -> None:
    func = _read(f'@T.prim_func\ndef main(A: T.Buffer((16,), "int32"), n: T.int32):\n    A[0] = {text}\n')
    assert isinstance(func.body, BufferStore)
    assert analysis.side_effect(func.body.value) is effect
