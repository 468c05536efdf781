"""Calls of PTX instructions: what TVM 0.27 prints for what is written, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core import nodes
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import UnknownName, WrongArgumentCount, WrongType
from tvmscript.ir.tir import Call, IntImm
from tvmscript.ir.tir.intrin.device import DeviceInstruction

HEAD = """# from tvm.script import tirx as T

@T.prim_func
def f(A: T.Buffer((64,), "float32"), U: T.Buffer((64,), "uint32"), V: T.Buffer((64,), "uint64"), n: T.int32):
    S = T.alloc_shared((8,), "float32")
    """


def read(call: str) -> tvmscript.PrimFunc:
    func = tvmscript.from_source(HEAD + call)
    assert isinstance(func, tvmscript.PrimFunc)
    return func


#: what is written -> what TVM 0.27 prints
LINES = (Path(__file__).parents[3] / "cases" / "operators_0_27" / "ptx_calls.txt").read_text().splitlines()
CALLS = dict(zip(LINES[::2], map(str.strip, LINES[1::2]), strict=True))


@pytest.mark.parametrize("call", CALLS)
def test_calls(call: str) -> None:
    func = read(call)
    text = func.script(dialect="0.27", comments=False)
    assert text.splitlines()[-1].strip() == CALLS[call]
    assert_structural_equal(tvmscript.from_source(text), func)


def test_printed_integers() -> None:
    """A printer writes int32 without a dtype; TVM reads it as the first dtype that the operand accepts."""
    func = read('T.ptx.bmsk(U[0], 2, U[1], "clamp", "b32", "")')
    [call] = [node for node in nodes(func) if isinstance(node, Call) and isinstance(node.op, DeviceInstruction)]
    assert isinstance(call.args[1], IntImm)
    assert call.args[1].dtype == "int32"
    assert_structural_equal(tvmscript.from_source(func.script(dialect="0.27")), func)


def test_text_of_nodes() -> None:
    """`str` writes what 0.17 has no text for as 0.27."""
    func = read("T.ptx.add.rn.f32(A[0], A[1], A[2])")
    assert str(func) == func.script(dialect="0.27")
    with pytest.raises(tvmscript.TVMScriptError, match=r"dialect 0\.17"):
        func.script()


#: calls that TVM 0.27 refuses as well
REFUSED = {
    "T.ptx.ld.global_.f33(A[0], A.data)": UnknownName,
    'T.ptx["wgmma.mma_async.m64n9k16"](n)': UnknownName,
    'T.ptx.ld(A[0], A.data, "f33", "")': UnknownName,
    'T.ptx.ld(A[0], A.data, "f32", "often")': WrongType,
    'T.ptx.ld(A[0], A.data, "f32", "p7")': WrongType,
    'T.ptx.ld(A[0], A.data, "f32", "", pred=n < 3)': WrongType,
    "T.ptx.ld.global_(A[0], A.data)": WrongType,
    "T.ptx.ld.volatile.L2__cache_hint.f32(A[0], A.data, V[0])": WrongType,
    "T.ptx.ld.f32(A[0])": WrongArgumentCount,
    "T.ptx.ld.f32(A[0], A.data, 1, 2)": WrongArgumentCount,
    "T.ptx.ld.f32(n, A.data)": WrongType,
    "T.ptx.ld.f32(V[0] + T.uint64(1), A.data)": WrongType,
    "T.ptx.add.rn.f32(A[0], U[0], A[1])": WrongType,
    "T.ptx.add.u32(U[0], 1.5, U[1])": WrongType,
    "T.ptx.ld.v2.f32(A[0], U[1], A.data)": WrongType,
    "T.ptx.ld.f32(A[0], S.data)": WrongType,
    "T.ptx.ld.f32(A[0], S.ptr_to([1]))": WrongType,
    "T.ptx.ld.f32(A[0], n)": WrongType,
    "T.ptx.ld.shared.f32(A[0], n)": WrongType,
    "T.ptx.cp.async_.ca.shared.global_(S.data, A.data, 5)": WrongType,
    "T.ptx.cp.async_.wait_group(A[0])": WrongType,
    'T.ptx["tcgen05.ld.sync.aligned.16x64b.x1.b32"](U[0], A.data)': WrongType,
    "T.ptx.cvta.to.shared.u64(V[0], n)": WrongType,
    "T.ptx.mov.b64(T.ptx.SINK, T.ptx.SINK, V[0])": WrongType,
    "T.ptx.ld.f32(T.ptx.SINK, A.data)": WrongType,
    "T.ptx.st.f32(A.data, A[0], preserve_dst=True)": WrongType,
    "T.ptx.st.f32(A.data, A[0], pred=n < 3, preserve_dst=True)": WrongType,
    "T.ptx.st.f32(A.data, A[0], pred=A[0])": WrongType,
    "T.ptx.selp.b32(U[0], U[1], 7, U[2])": WrongType,
    "T.ptx.selp.b32(U[0], U[1], 7, T.ptx.pred(A[0]))": WrongType,
    "T.ptx.setp.lt.s32(A[0], n, 5)": WrongType,
    "T.ptx.ld.f32(A[0], T.ptx.addr(T.ptx.addr(A.data, 4), 4))": WrongType,
    "T.ptx.mapa.shared__cluster.u32(U[0], T.ptx.addr(S.data, 4), U[1])": WrongType,
    "T.ptx.add.u32(U[0], T.ptx.pred(U[1]), U[2])": WrongType,
}


@pytest.mark.parametrize("call", REFUSED)
def test_refused(call: str) -> None:
    with pytest.raises(tvmscript.TVMScriptError) as caught:
        read(call)
    assert caught.value.code == REFUSED[call].code
    assert caught.value.span is not None


def test_message() -> None:
    with pytest.raises(tvmscript.TVMScriptError, match=r"takes \(d\[2\], addr\), but got 2"):
        read("T.ptx.ld.v2.f32(A[0], A.data)")
