"""Tensor intrinsics: what may be registered, and what is found."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.core.equality.equal import structural_equal
from tvmscript.ir.core.errors import DuplicateName, UnknownName, WrongType
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.tensor_intrin import TensorIntrin
from tvmscript.parser.entry import parse_program

COPY = """@T.prim_func
def copy(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    with T.block("root"):
        T.reads(A[0:4])
        T.writes(B[0:4])
        for i in range(4):
            with T.block("copy"):
                v = T.axis.spatial(4, i)
                B[v] = A[v]
"""
CALL = """@T.prim_func
def call(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4,), offset_factor=1)
    B = T.match_buffer(b, (4,), offset_factor=1)
    with T.block("root"):
        T.reads(A[0:4])
        T.writes(B[0:4])
        T.call_extern("int32", "copy4", A.access_ptr("r"), B.access_ptr("w"))
"""


def function(text: str) -> PrimFunc:
    made = tvmscript.from_source(text)
    assert isinstance(made, PrimFunc)
    return made


@pytest.fixture(autouse=True)
def empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TensorIntrin, "registry", {})


def test_what_is_registered_is_found() -> None:
    desc, impl = function(COPY), function(CALL)
    tvmscript.tir.TensorIntrin.register("copy4", desc, impl)
    found = TensorIntrin.get("copy4")
    assert found.desc is desc
    assert found.impl is impl


def test_names_are_taken_once() -> None:
    desc, impl = function(COPY), function(CALL)
    TensorIntrin.register("copy4", desc, impl)
    with pytest.raises(DuplicateName, match="tensor intrinsic named copy4") as caught:
        TensorIntrin.register("copy4", desc, desc)
    assert "override=True" in str(caught.value)
    assert TensorIntrin.get("copy4").impl is impl
    TensorIntrin.register("copy4", desc, desc, override=True)
    assert TensorIntrin.get("copy4").impl is desc


def test_what_is_missing() -> None:
    with pytest.raises(UnknownName, match="no tensor intrinsic named nope"):
        TensorIntrin.get("nope")
    assert TensorIntrin.get("nope", allow_missing=True) is None


@pytest.mark.parametrize(
    ("impl", "message"),
    [
        ("@T.prim_func\ndef f(a: T.handle):\n    T.evaluate(0)\n", "takes 2 parameters, as its desc does, but got 1"),
        ("@T.prim_func\ndef f(a: T.handle, n: T.int32):\n    T.evaluate(n)\n", "the parameter n of type int32"),
    ],
)
def test_parameters_are_checked(impl: str, message: str) -> None:
    with pytest.raises(WrongType, match=message):
        TensorIntrin.register("copy4", function(COPY), function(impl))
    assert TensorIntrin.get("copy4", allow_missing=True) is None


def test_functions_and_names_are_demanded() -> None:
    with pytest.raises(WrongType, match="a PrimFunc, but got 3"):
        TensorIntrin.register("copy4", function(COPY), 3)  # type: ignore[arg-type]
    with pytest.raises(WrongType, match="a name first"):
        TensorIntrin.register(4, function(COPY), function(CALL))  # type: ignore[arg-type]


def test_prints_as_two_functions() -> None:
    made = TensorIntrin(function(COPY), function(CALL))
    read = parse_program(made.script())
    assert list(read) == ["desc", "impl"]
    assert structural_equal(read["desc"], made.desc)
    assert structural_equal(read["impl"], made.impl)


@pytest.mark.oracle
def test_tvm_reads_the_same_functions(oracle: object) -> None:
    for text in (COPY, CALL):
        assert function(text).script() == oracle.print(text).rstrip("\n")  # type: ignore[attr-defined]
