"""Kernels of other libraries: how they are found, called and refused."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import tvmscript
from tvmscript.benchmark import peers
from tvmscript.ir.core import IRModule

PROGRAM = IRModule.from_expr(
    tvmscript.from_source("""
@T.prim_func
def add(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
    for i in range(4):
        B[i] = A[i] + T.float32(1)
""")
)


def add(A: Any, B: Any) -> None:
    B[:] = A + 1


def test_functions_of_a_file() -> None:
    names = ["numpy_add", "reference_add", "reference"]
    functions: dict[str, Any] = {name: name for name in [*names, "torch_add", "reference_sub"]}
    for name in names:
        assert peers.function_of("numpy", "add", functions) == name
        del functions[name]
    assert peers.function_of("numpy", "add", functions) is None
    assert peers.function_of("torch", "add", functions) == "torch_add"
    assert peers.function_of("numba", "add", functions) is None


def arguments() -> list[Any]:
    return [np.arange(4, dtype="float32"), np.zeros(4, "float32")]


def test_numpy_writes_into_the_outputs() -> None:
    given = arguments()
    call, results = peers.prepare("numpy", "add", PROGRAM, add, given, 1)
    call()
    assert results()[1] is given[1]
    np.testing.assert_array_equal(given[1], [1, 2, 3, 4])


def test_torch_gets_tensors_on_the_same_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    torch, seen = ModuleType("torch"), list[Any]()
    vars(torch).update(set_num_threads=seen.append, from_numpy=lambda array: ("tensor", array))
    monkeypatch.setitem(sys.modules, "torch", torch)
    peers.prepare("torch", "add", PROGRAM, lambda a, b: add(a[1], b[1]), given := arguments(), 3)
    assert seen == [3]
    assert given[1][3] == 4


def test_numba_compiles_functions_that_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    numba, compiled = ModuleType("numba"), list[Any]()

    def njit(function: Any) -> Any:
        compiled.append(function)
        return function

    config = ModuleType("config")
    vars(config).update(NUMBA_NUM_THREADS=2)
    vars(numba).update(set_num_threads=compiled.append, config=config, njit=njit)
    monkeypatch.setitem(sys.modules, "numba", numba)
    peers.prepare("numba", "add", PROGRAM, add, arguments(), 4)
    assert compiled == [2, add]


def test_errors_name_the_library() -> None:
    def fail(A: Any, B: Any) -> None:
        raise ValueError("no such axis")

    with pytest.raises(peers.PeerFailed, match="numpy fails on add: ValueError: no such axis"):
        peers.prepare("numpy", "add", PROGRAM, fail, arguments(), 1)


def test_what_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(peers.LIBRARIES, "torch", "torch_that_nobody_has")
    with pytest.raises(peers.PeerMissing, match="torch is not installed"):
        peers.require("torch")
    peers.require("numpy")
