"""Passes for tensor cores and asynchronous copies: what they refuse, and what they leave alone."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.transform.errors import MatchNotLowered, NotFlat
from tvmscript.ir.transform.registry import get_pass
from tvmscript.ir.transform.tensor_cores.common.fragments import WrongFragment
from tvmscript.ir.transform.tensor_cores.inject_permuted_layout import CannotPermute
from tvmscript.ir.transform.tensor_cores.transform_mma_buffer_layout import NoMmaLayout

ASYNC = """
@T.prim_func
def main(A: T.Buffer((4, 16), "float32"), B: T.Buffer((4, 16), "float32")):
    S = T.alloc_buffer((4, 16), scope="shared")
    with T.attr(0, "async_scope", 1):
        S[0, 0] = A[0, 0]
    B[0, 0] = S[0, 0]
"""

PERMUTED = """
@T.prim_func
def main(A: T.Buffer(({rows}, {length}), "float16")):
    S = T.alloc_buffer(({rows}, {length}), "float16", scope="shared")
    L = T.alloc_buffer((32, 8), "float16", scope="warp")
    with T.block("b"):
        T.reads(A[0, 0])
        T.writes(S[0, 0], L[0, 0:8])
        T.block_attr({{"permuted_layout": {mark}}})
        {body}
"""


def permuted(rows: Any = 64, length: Any = 64, mark: str = "1", body: str = "S[0, 0] = A[0, 0]") -> str:
    return PERMUTED.format(rows=rows, length=length, mark=mark, body=body)


def load_from(pointer: str) -> str:
    return permuted(body=f'T.ptx_ldmatrix("float16", T.bool(False), 4, ".b16", L.data, 0, {pointer}, 0)')


FRAGMENTS = """
@T.prim_func
def main(A: T.Buffer((16, 16), "float16"), n: T.int32):
    fa = T.allocate([256], "float16", "wmma.matrix_a")
    fb = T.allocate([256], "float16", "wmma.matrix_b")
    fc = T.allocate([256], "float32", "wmma.accumulator")
    T.tvm_fill_fragment(fc, 16, 16, 16, 0, T.float32(0))
    T.tvm_load_matrix_sync(fa, 16, 16, 16, 0, A.data, 16, "row_major")
    {line}
    T.tvm_mma_sync(fc, 0, fa, 0, fb, 0, fc, 0)
"""


def fragments(line: str) -> str:
    return FRAGMENTS.format(line=line)


def mma(scope: str, shape: str, body: str) -> str:
    return f"""
@T.prim_func
def main():
    with T.block("root"):
        T.reads()
        T.writes()
        M = T.alloc_buffer({shape}, "float16", scope="m16n8k8.matrix{scope}")
        {body}
"""


MATCHED = """with T.block("inner"):
            T.reads()
            T.writes(M[0:16, 0:8])
            N = T.match_buffer(M[0:16, 0:8], (16, 8), "float16", strides=(8, 1), scope="m16n8k8.matrixC")
            N[0, 0] = T.float16(0)"""

REFUSED = {
    "not flat": ("tir.InjectPTXAsyncCopy", ASYNC, NotFlat, "but S has several"),
    "short rows": ("tir.InjectPermutedLayout", permuted(length=16), CannotPermute, "16 is not a multiple of 32"),
    "odd rows": ("tir.InjectPermutedLayout", permuted(rows=33, length=32), CannotPermute, "number of rows, got 33"),
    "mark": ("tir.InjectPermutedLayout", permuted(mark="[1]"), CannotPermute, "the annotation is"),
    "rows of 128 bytes": (
        "tir.InjectPermutedLayout", permuted(length=32, mark='"128B"'), CannotPermute, "32 elements, not 128 bytes",
    ),
    "no pointer": ("tir.InjectPermutedLayout", load_from("S.data"), CannotPermute, "expected a T.tvm_access_ptr"),
    "unknown data": (
        "tir.InjectPermutedLayout",
        load_from('T.tvm_access_ptr(T.type_annotation("float16"), T.handle(), 0, 64, 1)'),
        CannotPermute,
        "expected a T.tvm_access_ptr|no buffer has this data",
    ),
    "two shapes": (
        "tir.InferFragment",
        fragments('T.tvm_load_matrix_sync(fb, 32, 8, 16, 0, A.data, 16, "col_major")'),
        WrongFragment,
        "fragment fb: it is 32 x 8 x 16, col_major, but it is combined with 16 x 16 x 16, row_major",
    ),
    "two layouts": (
        "tir.InferFragment",
        fragments('T.tvm_load_matrix_sync(fa, 16, 16, 16, 0, A.data, 16, "col_major")'),
        WrongFragment,
        "in one call and 16 x 16 x 16, col_major in another",
    ),
    "never loaded": ("tir.InferFragment", fragments("T.evaluate(0)"), WrongFragment, "never filled, loaded or stored"),
    "no constant": (
        "tir.InferFragment",
        fragments('T.tvm_load_matrix_sync(fb, n, 8, 16, 0, A.data, 16, "col_major")'),
        WrongFragment,
        "m, n and k must be constants",
    ),
    "half a tile": ("tir.TransformMmaBufferLayout", mma("A", "(16, 8)", "T.evaluate(0)"), NoMmaLayout, "of 32 x 8"),
    "one dimension": ("tir.TransformMmaBufferLayout", mma("C", "(256,)", "T.evaluate(0)"), NoMmaLayout, "dimension"),
    "operand": (
        "tir.TransformMmaBufferLayout",
        mma("B", "(8, 32)", "M[0, 0] = T.float16(0)"),
        NoMmaLayout,
        "one of its elements is accessed",
    ),
    "matched": ("tir.TransformMmaBufferLayout", mma("C", "(16, 8)", MATCHED), MatchNotLowered, "block inner"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "text", "error", "words"), REFUSED.values(), ids=REFUSED)
def test_refused(name: str, text: str, error: type[TVMScriptError], words: str) -> None:
    func = tvmscript.from_source(text, check_well_formed=False)
    with pytest.raises(error) as raised:
        get_pass(name)(func)
    assert any(word in str(raised.value) for word in words.split("|"))


PLAIN = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        with T.block("b"):
            T.reads(A[i])
            T.writes(B[i])
            B[i] = A[i]
"""
NAMES = [
    "tir.InjectPTXAsyncCopy", "tir.InjectPTXLDG32", "tir.InjectPermutedLayout", "tir.InferFragment",
    "tir.TransformMmaBufferLayout", "tir.LowerAsyncDMA",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_nothing_to_do_is_the_same_function(name: str) -> None:
    func = tvmscript.from_source(PLAIN)
    assert get_pass(name)(func) is func


def test_nested_scopes_are_one() -> None:
    text = ASYNC.replace("(4, 16)", "(64,)").replace("0, 0]", "0]").replace(
        "        S[0] = A[0]", '        with T.attr(0, "async_scope", 1):\n            S[0] = A[0]'
    )  # fmt: skip
    made: Any = get_pass("tir.InjectPTXAsyncCopy")(tvmscript.from_source(text))
    assert 'T.ptx_cp_async("float32", S.data, 0, A.data, 0, 4)' in made.script()
    assert "async_scope" not in made.script()


def test_dma_copies_may_pass_by_the_cache() -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((64,), "uint8"), B: T.Buffer((64,), "uint8")):
    with T.attr(0, "async_commit_queue_scope", 0):
        for i in range(64):
            B[i] = A[i]
"""
    func = tvmscript.from_source(text)
    for given, last in ((False, 0), (True, 1)):
        made: Any = get_pass("tir.LowerAsyncDMA", dma_bypass_cache=given)(func)
        assert f"T.dma_copy(0, T.address_of(B[0]), T.address_of(A[0]), 64, {last})" in made.script()
