"""Stores past the caches: from a size on, aligned, fenced, and the same values."""

from __future__ import annotations

from dataclasses import replace

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvmscript
from tvmscript.backends import llvm
from tvmscript.backends.llvm import target as targets
from tvmscript.backends.llvm.codegen.loop_optimization import optimize_loops
from tvmscript.backends.llvm.target import Target
from tvmscript.backends.runtime.module import Module
from tvmscript.fuzz.guard_pages import guarded
from tvmscript.ir.core import IRModule
from tvmscript.ir.core.targets.machine_model import MODELS, MachineModel
from tvmscript.ir.core.visit import nodes
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import AttrStmt

#: a processor whose caches are so small that arrays of 1,024 bytes are streamed
TINY = replace(MODELS["x86_64"][0][1], l2_bytes=64)
X86 = "llvm -mtriple=x86_64-unknown-linux-gnu -mcpu=x86-64-v4"

_CONDITIONS = 'B = T.match_buffer(b, (n,), "bool")'


def program(
    body: str, count: int | str = "n", dtype: str = "float32", attrs: str = '"tir.noalias": T.bool(True)'
) -> str:
    size = "n = T.int32()" if count == "n" else ""
    return f"""
@T.prim_func
def main(a: T.handle, b: T.handle, s: T.int32):
    T.func_attr({{{attrs}}})
    {size}
    A = T.match_buffer(a, ({count},), "{dtype}")
    B = T.match_buffer(b, ({count},), "{dtype}")
    for i in range({count}):
        {body}
"""


def is_streamed(text: str, target: str = X86) -> bool:
    func = tvmscript.lower(tvmscript.from_source(text), "llvm")["main"]
    assert isinstance(func, PrimFunc)
    made = optimize_loops(func, func.buffer_map.values(), Target.parse(target))
    return any(isinstance(node, AttrStmt) and node.attr_key == "tir.streaming_store" for node in nodes(made))


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> MachineModel:
    monkeypatch.setattr(targets, "_model", lambda target: TINY)
    return TINY


def built(text: str) -> Module:
    return llvm.build(tvmscript.lower(tvmscript.from_source(text), "llvm"))


def test_from_a_size_on() -> None:
    model = Target.parse(X86).model
    count = min(16 * model.l2_bytes, model.l3_bytes) // 4
    assert is_streamed(program("B[i] = A[i]", count))
    assert not is_streamed(program("B[i] = A[i]", count - 1))
    assert is_streamed(program("B[i] = A[i]"))
    assert not is_streamed(program("B[i] = A[i]"), "llvm -mtriple=aarch64-linux-gnu")


def test_what_is_streamed(tiny: MachineModel) -> None:
    assert is_streamed(program("B[i] = A[i] * A[i]"))
    # in place: the memory is read anyway
    assert not is_streamed(program("B[i] = B[i] + A[i]"))
    # perhaps in place
    assert not is_streamed(program("B[i] = A[i]", attrs='"a": 1'))
    assert is_streamed(program("B[i] = T.exp(A[i])"))
    assert not is_streamed(program("B[0] = A[i]"))
    assert not is_streamed(program("B[i] = A[i]", 255))
    assert is_streamed(program("B[i] = A[i]", 256))


def rows(body: str, shape: str = "64, 1025", loop: str = "range(64)") -> str:
    return f"""
@T.prim_func
def main(A: T.Buffer(({shape}), "float32"), B: T.Buffer(({shape}), "float32"), S: T.Buffer((2000,), "float32")):
    T.func_attr({{"tir.noalias": T.bool(True)}})
    for i in {loop}:
{body}
"""


def row(store: str, columns: int = 1025) -> str:
    return f"        for j in range({columns}):\n            {store}\n"


def test_rows() -> None:
    """Of 4 KB and more each, whose elements nothing in the nest loads."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(targets, "_model", lambda target: replace(TINY, l2_bytes=1 << 13))
        store = row("B[i, j] = A[i, j] + S[j]")
        assert is_streamed(rows(store))
        assert is_streamed(rows(store, loop="T.parallel(64)"))
        assert is_streamed(rows(row("B[i, j] = T.exp(A[i, j])")))
        assert not is_streamed(rows(row("B[i, j] = A[i, j] + S[j]", 1023)))
        assert not is_streamed(rows(store, "8, 1025", "range(8)"))
        assert not is_streamed(rows(row("S[j] = A[i, j]")))
        assert not is_streamed(rows(store + row("B[i, j] = B[i, j] * S[0]")))
        assert not is_streamed(rows(store + row("S[j] = B[i, j]")))


@settings(max_examples=20, deadline=None)
@given(st.integers(1024, 1100), st.integers(1, 5), st.sampled_from(("range({})", "T.parallel({})")), st.booleans())
def test_any_rows(columns: int, count: int, loop: str, is_heavy: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(targets, "_model", lambda target: TINY)
        value = "T.exp(A[i, j])" if is_heavy else "A[i, j] + S[j]"
        text = rows(row(f"B[i, j] = {value}", columns), f"{count}, {columns}", loop.format(count))
        module = built(text)
    assert "!nontemporal" in module.get_source("input")
    random = np.random.default_rng(columns)
    a, s = random.random((count, columns), "f"), random.random(2000, "f")
    whole = np.full(a.size + 9, -1, "f")
    b = whole[4 : 4 + a.size].reshape(a.shape)
    module["main"](a, b, s)
    np.testing.assert_allclose(b, np.exp(a) if is_heavy else a + s[:columns], rtol=1e-6)
    assert (whole[:4] == -1).all()
    assert (whole[4 + a.size :] == -1).all()


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("count", [0, 1, 255, 1024, 5000])
def test_conditions_take_a_byte_each(count: int) -> None:
    """Lowering makes int8 of them; programs may be compiled without."""
    text = program("B[i] = A[i] > T.float32(0)").replace('B = T.match_buffer(b, (n,), "float32")', _CONDITIONS)
    func = tvmscript.from_source(text).with_attr("global_symbol", "main")
    a = np.random.default_rng(count).standard_normal(count).astype("f")
    b = np.zeros(count, bool)
    module = llvm.build(IRModule({"main": func}))
    assert "!nontemporal" in module.get_source("input")
    module["main"](a, b, 0)
    np.testing.assert_array_equal(b, a > 0)


@pytest.mark.parametrize(
    ("dtype", "instruction"), [("float32", "vmovntps"), ("float16", "vmovnt"), ("bfloat16", "vmovnt")]
)
def test_the_instructions(dtype: str, instruction: str) -> None:
    text = program("B[i] = A[i] + A[i]", dtype=dtype)
    code = tvmscript.build(tvmscript.from_source(text), X86).get_source("asm")
    assert instruction in code
    assert code.index(instruction) < code.rindex("sfence")


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 900),
    st.integers(0, 16),
    st.integers(0, 16),
    st.sampled_from(("float32", "float64", "float16", "bfloat16")),
    st.booleans(),
)
def test_any_size_at_any_place(count: int, of_a: int, of_b: int, dtype: str, is_constant: bool) -> None:
    """Nothing in front of the array and nothing behind it is written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(targets, "_model", lambda target: TINY)
        text = program("B[i] = A[i] * A[i] + T.Cast(B.dtype, s)".replace("B.dtype", f'"{dtype}"'), "n", dtype)
        if is_constant:
            text = program("B[i] = A[i] * A[i]", max(count, 1), dtype)
        module = built(text)
    count = max(count, 1) if is_constant else count
    stored = getattr(ml_dtypes, dtype, dtype)
    a = np.random.default_rng(count).integers(-9, 9, count + of_a).astype(stored)[of_a:]
    whole = np.full(of_b + count + 3, -1, stored)
    module["main"](a, whole[of_b : of_b + count], 0)
    np.testing.assert_array_equal(whole[of_b : of_b + count], a * a)
    assert (whole[:of_b] == -1).all()
    assert (whole[of_b + count :] == -1).all()


@pytest.mark.parametrize("is_behind", [False, True])
def test_beside_forbidden_memory(tiny: MachineModel, is_behind: bool) -> None:
    module = built(program("B[i] = A[i]"))
    assert "!nontemporal" in module.get_source("input")
    for count in (256, 300, 1024, 1033):
        a, b = (guarded(np.full(count, value, "float32"), is_behind=is_behind) for value in (3, 0))
        module["main"](a, b, 0)
        assert (b == 3).all()


def test_a_later_loop_reads_what_was_streamed(tiny: MachineModel) -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((5000,), "float32"), B: T.Buffer((5000,), "float32"), C: T.Buffer((5000,), "float32")):
    T.func_attr({"tir.noalias": T.bool(True)})
    for i in range(5000):
        B[i] = A[i] + T.float32(1)
    for i in range(5000):
        C[i] = B[4999 - i]
"""
    a, b, c = np.arange(5000, dtype="float32"), np.zeros(5000, "float32"), np.zeros(5000, "float32")
    built(text)["main"](a, b, c)
    np.testing.assert_array_equal(c, a[::-1] + 1)
