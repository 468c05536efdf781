"""Vectors whose length is only known when the program runs."""

from __future__ import annotations

from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core.dtype import DType
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import TVMScriptError
from tvmscript.ir.tir.expr import Broadcast, IntImm, Ramp

HEAD = '@T.prim_func\ndef main(A: T.Buffer((128,), "float32"), n: T.int32):\n'
#: statement as it is written -> as it is printed
STATEMENTS = {
    "A[T.Ramp(n, 1, 4 * T.vscale())] = A[T.Ramp(0, 1, 4 * T.vscale())]": (
        "A[n:n + T.vscale() * 4] = A[0:T.vscale() * 4]"
    ),
    "A[n:n + T.vscale() * 4] = T.Broadcast(T.float32(1), T.vscale() * 4)": None,
    'T.evaluate(T.Cast("int32xvscalex4", A[0:T.vscale() * 4]))': None,
    "T.exp(A[0:T.vscale() * 4])": None,
    "T.evaluate(A[0:T.vscale() * 4] + T.float32(2))": (
        "T.evaluate(A[0:T.vscale() * 4] + T.Broadcast(T.float32(2), T.vscale() * 4))"
    ),
    "T.evaluate(T.Ramp(n, 2, T.vscale() * 8))": None,
    'T.get_active_lane_mask("boolxvscalex4", n, 3)': None,
    'A.vstore([T.Ramp(0, 1, 4)], T.Broadcast(n, 4), predicate=T.Broadcast(n > 0, 4))': None,
}  # fmt: skip


@pytest.mark.parametrize("written", STATEMENTS)
def test_reads_and_prints(written: str) -> None:
    text = HEAD.replace("float32", "int32") if "vstore" in written else HEAD
    program = tvmscript.from_source(f"{text}    {written}\n")
    line = program.script().splitlines()[-1].strip()
    assert line == (STATEMENTS[written] or written)
    assert structural_equal(tvmscript.from_source(program.script()), program)


@pytest.mark.oracle
def test_prints_as_tvm(oracle: Any) -> None:
    """TVM does not read slices of scalable length, which it prints: they are written as ramps here."""
    text = f"""{HEAD}    A[T.Ramp(0, 1, 4 * T.vscale())] = A[T.Ramp(n, 1, T.vscale() * 4)]
    T.evaluate(A[T.Ramp(0, 1, T.vscale() * 4)] + T.Broadcast(T.float32(1), 4 * T.vscale()))
    T.evaluate(T.Cast("int32xvscalex4", A[T.Ramp(0, 1, T.vscale() * 4)]))
    T.evaluate(T.Ramp(n, 2, T.vscale() * 4))
    T.call_extern("float32xvscalex2", "f")
"""
    assert tvmscript.from_source(text).script() == oracle.print(text).rstrip("\n")


def test_dtypes() -> None:
    dtype = DType("float32xvscalex4")
    assert (str(dtype), dtype.lanes, dtype.element, dtype.is_scalable) == ("float32xvscalex4", -4, "float32", True)
    assert DType("float32").with_lanes(-4) is dtype
    assert not DType("float32x4").is_scalable
    for name in ("float32xvscale", "float32xvscalex1", "float32xvscalex0", "voidxvscalex4", "float32x4xvscalex4"):
        with pytest.raises(TVMScriptError):
            DType(name)


@pytest.mark.parametrize("lanes", ["n", "T.vscale()", "T.vscale() + 1", "T.vscale() * n", "-4", "0"])
def test_other_lanes_are_refused(lanes: str) -> None:
    with pytest.raises(TVMScriptError, match="lanes"):
        tvmscript.from_source(f"{HEAD}    T.evaluate(T.Ramp(n, 1, {lanes}))\n")


def test_length_is_part_of_the_meaning() -> None:
    one, two = (Ramp(IntImm("int32", 0), IntImm("int32", 1), lanes) for lanes in (-4, 4))
    assert not structural_equal(one, two)
    assert Broadcast(IntImm("int8", 1), -2).dtype == "int8xvscalex2"


@pytest.mark.parametrize("target", ["llvm", "interp"])
def test_backends_refuse(target: str) -> None:
    pytest.importorskip("llvmlite")
    np = pytest.importorskip("numpy")
    program = tvmscript.from_source(f"{HEAD}    A[0:T.vscale() * 4] = T.Broadcast(T.float32(1), T.vscale() * 4)\n")
    with pytest.raises(TVMScriptError, match=r"vector of dtype (int|float)32xvscalex4"):
        tvmscript.build(program, target=target)["main"](np.zeros(128, "float32"), 1)
