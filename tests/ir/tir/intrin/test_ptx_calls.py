"""Calls of PTX instructions: what TVM 0.27 prints for what is written, and what is refused."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

import pytest

import tvmscript
from tvmscript.ir.core import nodes
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import UnknownName, WrongArgumentCount, WrongType
from tvmscript.ir.tir import Call, IntImm
from tvmscript.ir.tir.intrin.device import DeviceInstruction
from tvmscript.ir.tir.intrin.ptx import PTX_FAMILIES

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


#: buffer of the registers of a dtype
REGISTERS = {
    "A": "uint8", "B": "int8", "C": "uint16", "D": "int16", "E": "float16", "F": "bfloat16", "G": "uint32",
    "H": "int32", "O": "float32", "J": "uint64", "K": "int64", "L": "float64", "M": "uint128", "N": "int128",
}  # fmt: skip
PARAMS = ", ".join([f'{name}: T.Buffer((512,), "{dtype}")' for name, dtype in REGISTERS.items()])
ENTRIES = f"# from tvm.script import tirx as T\n\n@T.prim_func\ndef f({PARAMS}, n: T.int32, p: T.bool):\n"
#: a call of each of the 506 entries of TVM's table, as it prints it
ENTRY_LINES = (Path(__file__).parents[3] / "cases" / "operators_0_27" / "ptx_entries.txt").read_text().splitlines()
STRINGS = re.compile(r'((?:, "[^"]*")+)\)$|\(("[^"]*"(?:, "[^"]*")*)\)$')
FAMILY_LINES = {
    family: list(lines) for family, lines in groupby(ENTRY_LINES, lambda line: line.partition("(")[0].split(".")[2])
}


def bracketed(line: str) -> str:
    """Return the call with its modifiers in brackets, T.ptx["ld.f32"](...), for a printed one."""
    match = STRINGS.search(line)
    assert match is not None
    *modifiers, flags = re.findall(r'"([^"]*)"', match[0])
    family = line.partition("(")[0].removeprefix("T.ptx.").removesuffix("_")
    operands = line[line.index("(") + 1 : match.start()]
    predicate = ""
    if flags and "pred" in flags:
        operands, _, condition = operands.rpartition(", ")
        predicate = f", pred={condition}"
    return f'T.ptx["{".".join([family, *filter(None, modifiers)])}"]({operands}{predicate})'


@pytest.mark.parametrize("family", FAMILY_LINES)
def test_every_entry(family: str) -> None:
    """TVM's text of each entry is read, printed as it is, and means what the bracketed form does."""
    lines = FAMILY_LINES[family]
    text = ENTRIES + "".join([f"    {line}\n" for line in lines])
    func = tvmscript.from_source(text, check_well_formed=False)
    assert func.script(dialect="0.27", comments=False).splitlines()[-len(lines) :] == [f"    {line}" for line in lines]
    # a modifier of fabric has a dot in it, which brackets would separate
    others = [line if "::report::" in line else bracketed(line) for line in lines]
    other = tvmscript.from_source(ENTRIES + "".join([f"    {line}\n" for line in others]), check_well_formed=False)
    assert_structural_equal(other, func)


def test_number_of_entries() -> None:
    assert len(ENTRY_LINES) == 506
    assert {family.removesuffix("_") for family in FAMILY_LINES} == PTX_FAMILIES
