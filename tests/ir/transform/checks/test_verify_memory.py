"""Passes that refuse programs and change nothing."""

from __future__ import annotations

import pytest

import tvmscript
from tvmscript.ir.analysis.errors import HostAccess, LaunchesDiffer, LimitExceeded, NotPure, NotSSA
from tvmscript.ir.core.errors import UnknownName, WrongType
from tvmscript.ir.tir.base import Stmt
from tvmscript.ir.tir.expr import IntImm, Let, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.stmt import Evaluate, For, ForKind, LetStmt, SeqStmt
from tvmscript.ir.transform.registry import get_pass
from tvmscript.tir import analysis

_ONE, _TWO = IntImm("int32", 1), IntImm("int32", 2)


def _read(text: str) -> PrimFunc:
    func = tvmscript.from_source(text)
    assert isinstance(func, PrimFunc)
    return func


def _loop(var: Var, body: Stmt) -> Stmt:
    return For(var, IntImm("int32", 0), IntImm("int32", 4), ForKind.SERIAL, body)


def _programs() -> dict[str, tuple[Stmt, bool]]:
    """Statements, and whether every definition in them has a variable of its own: TVM says the same of each."""
    x, y = Var("x", "int32"), Var("y", "int32")
    use = Evaluate(x + _ONE)
    let = Let(x, _ONE, x + _ONE)
    return {
        "let": (Evaluate(let), True),
        "one let twice": (Evaluate(let + let), True),
        "the same value": (Evaluate(Let(x, y + _ONE, x) + Let(x, y + _ONE, x)), True),
        "another value": (Evaluate(Let(x, _ONE, x) + Let(x, _TWO, x)), False),
        "loops in a row": (SeqStmt((_loop(x, use), _loop(x, use))), False),
        "a loop in a loop": (_loop(x, _loop(x, use)), False),
        "a loop and a let": (SeqStmt((_loop(x, use), LetStmt(x, _ONE, use))), False),
        "lets in a row": (SeqStmt((LetStmt(x, _ONE, use), LetStmt(x, _ONE, use))), False),
        "a parameter": (_loop(y, Evaluate(y)), False),
    }


@pytest.mark.parametrize("name", _programs())
def test_single_definitions(name: str) -> None:
    body, is_single = _programs()[name]
    params = tuple(node for node in (getattr(body, "loop_var", None),) if name == "a parameter" and node is not None)
    func = PrimFunc(params, body)
    assert analysis.verify_ssa(func) == is_single
    if is_single:
        assert get_pass("tir.VerifySSA")(func) is func
    else:
        with pytest.raises(NotSSA, match="is defined twice"):
            get_pass("tir.VerifySSA")(func)


def test_memory_needs_a_target() -> None:
    func = _read('@T.prim_func\ndef main(A: T.Buffer((16,), "float32")):\n    A[0] = 1.0\n')
    with pytest.raises(WrongType, match="a function with a target"):
        get_pass("tir.VerifyMemory")(func)


def test_memory_tells_each_buffer_once() -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    for i in range(15):
        B[i] = A[i] + A[i + 1]
"""
    with pytest.raises(HostAccess) as caught:
        get_pass("tir.VerifyMemory")(_read(text))
    assert sorted(str(error.facts["buffer"]) for error in caught.value.errors) == ["A", "B"]


_KERNEL = """
@T.prim_func
def main(A: T.Buffer((128,), "float32")):
    with T.launch_thread("threadIdx.x", {x}) as tx:
        A[tx] = 1.0
    with T.launch_thread("threadIdx.x", 64) as tx:
        A[tx] = 2.0
"""


def test_limits_count_for_each_kernel() -> None:
    func = _read(_KERNEL.format(x=32))
    assert analysis.verify_gpu_code(func, {"max_threads_per_block": 64, "max_kernels": 2})
    assert not analysis.verify_gpu_code(func, {"max_kernels": 1})
    with pytest.raises(LimitExceeded, match="64 threads in a block are more than the 63"):
        get_pass("tir.VerifyGPUCode", {"max_threads_per_block": 63})(func)


def test_limits_have_names() -> None:
    with pytest.raises(UnknownName, match="max_threads_per_block"):
        get_pass("tir.VerifyGPUCode", {"max_thread_per_block": 63})(_read(_KERNEL.format(x=32)))
    with pytest.raises(WrongType):
        get_pass("tir.VerifyGPUCode", 63)


def test_one_extent_for_each_thread() -> None:
    text = _KERNEL.format(x=32).replace(
        '    with T.launch_thread("threadIdx.x", 32)',
        '    T.launch_thread("blockIdx.x", 2)\n    with T.launch_thread("threadIdx.x", 32)',
    )
    with pytest.raises(LaunchesDiffer, match="32 threads and with 64"):
        get_pass("tir.VerifyGPUCode")(_read(text))


def test_purity() -> None:
    pure = _read("@T.prim_func\ndef main(n: T.int32) -> T.int32:\n    return n + 1\n")
    assert analysis.assert_pure_function(pure)
    writes = _read('@T.prim_func\ndef main(A: T.Buffer((16,), "float32")):\n    A[0] = 1.0\n')
    with pytest.raises(NotPure, match="it writes A"):
        analysis.assert_pure_function(writes)
    calls = _read('@T.prim_func\ndef main(n: T.int32):\n    T.evaluate(T.call_extern("int32", "f", n))\n')
    with pytest.raises(NotPure, match=r"it calls tir\.call_extern"):
        analysis.assert_pure_function(calls)


def test_compaction_passes() -> None:
    """As TVM lists them."""
    names = [each.info.name for each in analysis.get_vtcm_compaction_passes()]
    assert names[:3] == [
        "tir.LowerInitBlock",
        "tir.PlanAndUpdateBufferAllocationLocation",
        "tir.ConvertBlocksToOpaque",
    ]
    assert names[-1] == "tir.StorageRewrite"
    assert len(names) == 11


def test_dependences() -> None:
    text = """
@T.prim_func
def main(A: T.Buffer((16,), "float32"), C: T.Buffer((16,), "float32")):
    B = T.alloc_buffer((16,))
    for i in range(16):
        with T.block("first"):
            vi = T.axis.spatial(16, i)
            B[vi] = A[vi]
    for i in range(16):
        with T.block("second"):
            vi = T.axis.spatial(16, i)
            C[vi] = B[vi]
    for i in range(16):
        with T.block("third"):
            vi = T.axis.spatial(16, i)
            B[vi] = C[vi]
"""
    info = analysis.BlockDependenceInfo(_read(text))
    (root,) = [ref for ref in info.stmt2ref.values() if ref.parent is None]
    scope = info.get_block_scope(root)
    found = [
        (each.src.stmt.name_hint, each.dst.stmt.name_hint, each.kind.name)
        for block in scope.blocks
        for each in scope.get_deps_by_src(block)
    ]
    assert found == [
        ("first", "second", "RAW"),
        ("first", "third", "WAW"),
        ("second", "third", "RAW"),
        ("second", "third", "WAR"),
    ]
