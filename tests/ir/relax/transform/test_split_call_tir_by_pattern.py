"""SplitCallTIRByPattern: a library computes the first statements of kernels. The texts were compared with TVM 0.17."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript import relax
from tvmscript.ir.core import IRModule
from tvmscript.ir.relax.transform.errors import BadCodegenResult
from tvmscript.ir.relax.transform.fusion.common.kernel_pattern import MatchResult
from tvmscript.ir.relax.transform.fusion.split_call_tir_by_pattern import SplitCallTIRByPattern
from tvmscript.ir.relax.verify import verify
from tvmscript.runtime import remove_global_func

PROGRAM = """
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def dense(a: T.handle, b: T.handle, c: T.handle, d: T.handle):
        n = T.int64()
        B = T.match_buffer(b, (T.int64(4), T.int64(6)))
        bias = T.match_buffer(c, (T.int64(6),))
        A = T.match_buffer(a, (n, T.int64(4)))
        D = T.match_buffer(d, (n, T.int64(6)))
        C = T.alloc_buffer((n, T.int64(6)))
        E = T.alloc_buffer((n, T.int64(6)))
        for i, j, k in T.grid(n, T.int64(6), T.int64(4)):
            with T.block("product"):
                vi, vj, vk = T.axis.remap("SSR", [i, j, k])
                with T.init():
                    C[vi, vj] = T.float32(0)
                C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
        for i, j in T.grid(n, T.int64(6)):
            with T.block("sum"):
                vi, vj = T.axis.remap("SS", [i, j])
                E[vi, vj] = C[vi, vj] + bias[vj]
        for i, j in T.grid(n, T.int64(6)):
            with T.block("exp"):
                vi, vj = T.axis.remap("SS", [i, j])
                D[vi, vj] = T.exp(E[vi, vj])
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, 6), "float32"), b: R.Tensor((6,), "float32")):
        n = T.int64()
        cls = Module
        with R.dataflow():
            gv = R.call_tir(cls.dense, (x, w, b), out_sinfo=R.Tensor((n, 6), "float32"))
            R.output(gv)
        return gv
"""
PRODUCT, SUM, EXP = (
    tvmscript.from_source(text)
    for text in (
        """
@T.prim_func
def product(a: T.handle, b: T.handle, c: T.handle, n: T.int64, m: T.int64, l: T.int64):
    A = T.match_buffer(a, (n, l))
    B = T.match_buffer(b, (l, m))
    C = T.match_buffer(c, (n, m))
    for i, j, k in T.grid(n, m, l):
        with T.block("C"):
            vi, vj, vk = T.axis.remap("SSR", [i, j, k])
            with T.init():
                C[vi, vj] = T.float32(0)
            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]
""",
        """
@T.prim_func
def sum_of_rows(a: T.handle, b: T.handle, c: T.handle, n: T.int64, m: T.int64):
    A = T.match_buffer(a, (n, m))
    B = T.match_buffer(b, (m,))
    C = T.match_buffer(c, (n, m))
    for i, j in T.grid(n, m):
        with T.block("C"):
            vi, vj = T.axis.remap("SS", [i, j])
            C[vi, vj] = A[vi, vj] + B[vj]
""",
        """
@T.prim_func
def exp(a: T.handle, b: T.handle, n: T.int64, m: T.int64):
    A = T.match_buffer(a, (n, m))
    B = T.match_buffer(b, (n, m))
    for i, j in T.grid(n, m):
        with T.block("B"):
            vi, vj = T.axis.remap("SS", [i, j])
            B[vi, vj] = T.exp(A[vi, vj])
""",
    )
)


def numpy_product(x: Any, w: Any, y: Any) -> None:
    np.matmul(np.from_dlpack(x), np.from_dlpack(w), out=np.from_dlpack(y))


def numpy_dense(x: Any, w: Any, b: Any, y: Any) -> None:
    numpy_product(x, w, y)
    np.add(np.from_dlpack(y), np.from_dlpack(b), out=np.from_dlpack(y))


def numpy_dense_exp(x: Any, w: Any, b: Any, y: Any) -> None:
    numpy_dense(x, w, b, y)
    np.exp(np.from_dlpack(y), out=np.from_dlpack(y))


def codegen(implementation: object, count: int) -> Callable[[Sequence[MatchResult]], Sequence[Any]]:
    """Return a code generator for the first matches; its arguments are what they read and do not write."""

    def generate(matches: Sequence[MatchResult]) -> Sequence[Any]:
        buffers = [buffer for match in matches[:count] for buffer in match.matched_buffers]
        written = [match.matched_buffers[-1] for match in matches[:count]]
        return implementation, count, [buffer for buffer in buffers if buffer not in written]

    return generate


def split(implementation: object, count: int) -> IRModule:
    run_pass = SplitCallTIRByPattern((EXP, PRODUCT, SUM), codegen(implementation, count))
    mod: IRModule = run_pass(tvmscript.from_source(PROGRAM))
    verify(mod)
    return mod


@pytest.mark.parametrize(
    ("implementation", "count", "calls"),
    [
        (
            numpy_product,
            1,
            [
                'lv = R.call_dps_packed("dense", (x, w), out_sinfo=R.Tensor((n, 6), dtype="float32"))',
                'gv = R.call_tir(cls.unfused_epilogue, (lv, b), out_sinfo=R.Tensor((n, 6), dtype="float32"))',
            ],
        ),
        (
            numpy_dense,
            2,
            [
                'lv = R.call_dps_packed("dense", (x, w, b), out_sinfo=R.Tensor((n, 6), dtype="float32"))',
                'gv = R.call_tir(cls.unfused_epilogue, (lv,), out_sinfo=R.Tensor((n, 6), dtype="float32"))',
            ],
        ),
        (
            numpy_dense_exp,
            3,
            ['gv = R.call_dps_packed("dense", (x, w, b), out_sinfo=R.Tensor((n, 6), dtype="float32"))'],
        ),
    ],
    ids=["product", "product and bias", "whole"],
)
def test_a_library_computes_the_first_statements(implementation: object, count: int, calls: list[str]) -> None:
    try:
        mod = split(implementation, count)
        assert [line.strip() for line in mod.script().splitlines() if "R.call_" in line] == calls
        x, w, b = (np.random.default_rng(0).random(shape, "float32") for shape in ((3, 4), (4, 6), (6,)))
        result = relax.VirtualMachine(relax.build(mod), tvmscript.cpu())["main"](x, w, b)
        np.testing.assert_allclose(result.numpy(), np.exp(x @ w + b), rtol=1e-5)
    finally:
        remove_global_func("dense")


def test_sizes_of_patterns_have_the_values_of_the_kernel() -> None:
    seen: list[MatchResult] = []

    def generate(matches: Sequence[MatchResult]) -> Sequence[Any]:
        seen.extend(matches)
        return "", 0, []

    mod = tvmscript.from_source(PROGRAM)
    assert SplitCallTIRByPattern((PRODUCT, EXP, SUM), generate)(mod) is mod, "the number 0 leaves the kernel whole"
    assert [match.pattern for match in seen] == [PRODUCT, SUM, EXP]
    assert [[str(value) for value in match.symbol_values] for match in seen] == [
        ["n", "T.int64(6)", "T.int64(4)"],
        ["n", "T.int64(6)"],
        ["n", "T.int64(6)"],
    ]
    assert [[buffer.name for buffer in match.matched_buffers] for match in seen] == [
        ["A", "B", "C"],
        ["C", "bias", "E"],
        ["E", "D"],
    ]


def test_statements_behind_one_that_does_not_match_stay() -> None:
    mod = tvmscript.from_source(PROGRAM)
    assert SplitCallTIRByPattern((SUM, EXP), codegen("", 2))(mod) is mod


def test_a_text_calls_the_function_of_the_kernels_name() -> None:
    assert 'R.ExternFunc("dense")' in split("void dense();", 3).script()


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (("",), "the implementation, the number of matches and the buffers, got 1 values"),
        (("", 4, []), "a number of matches from 0 to 3, got 4"),
        ((3, 1, []), "a callable or a text, got 3"),
        (("", 1, [EXP.buffer_map[EXP.params[0]]]), "buffers that are inputs of the kernel, got A"),
    ],
    ids=["too few", "too many matches", "no implementation", "another buffer"],
)
def test_results_of_code_generators_are_checked(result: tuple[object, ...], message: str) -> None:
    with pytest.raises(BadCodegenResult, match="the code generator dense must return") as caught:
        SplitCallTIRByPattern((PRODUCT, SUM, EXP), lambda matches: result)(tvmscript.from_source(PROGRAM))
    assert message in str(caught.value)


def test_other_calls_stay() -> None:
    """Kernels alone are split: operators and packed functions around them are as they were."""
    before = 'y = R.nn.relu(x)\n            z = R.call_pure_packed("f", y, sinfo_args=R.Tensor((n, 4), "float32"))'
    text = PROGRAM.replace("gv = R.call_tir(cls.dense, (x,", f"{before}\n            gv = R.call_tir(cls.dense, (z,")
    made = SplitCallTIRByPattern((EXP, PRODUCT, SUM), codegen(numpy_product, 1))(tvmscript.from_source(text)).script()
    remove_global_func("dense")
    assert "R.nn.relu(x)" in made
    assert 'R.call_pure_packed("f", y,' in made
    assert "R.call_dps_packed(" in made
