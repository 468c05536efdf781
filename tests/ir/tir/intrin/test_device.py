"""The table of device instructions: names, arguments, results, effects; they are read and printed by name."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

import tvmscript
from tvmscript.ir.core import CallEffect, DType, nodes
from tvmscript.ir.core.equality.equal import assert_structural_equal
from tvmscript.ir.core.errors import InvalidDType, UnknownName, WrongArgumentCount, WrongType
from tvmscript.ir.tir import Call, StringImm, Var
from tvmscript.ir.tir.intrin.device import INSTRUCTIONS, DeviceInstruction, instruction

HEAD = (
    '# from tvm.script import tirx as T\n\n@T.prim_func\ndef f(A: T.Buffer((64,), "float32"), '
    'U: T.Buffer((64,), "uint32"), V: T.Buffer((64,), "uint64"), n: T.int32):\n'
)


def read(*lines: str) -> tvmscript.PrimFunc:
    func = tvmscript.from_source(HEAD + "".join([f"    {line}\n" for line in lines]))
    assert isinstance(func, tvmscript.PrimFunc)
    return func


def only_call(*lines: str) -> Call:
    calls = [node for node in nodes(read(*lines)) if isinstance(node, Call) and isinstance(node.op, DeviceInstruction)]
    return calls[0]


def test_rows() -> None:
    assert len(INSTRUCTIONS) > 90
    for path, op in INSTRUCTIONS.items():
        assert op.path == path
        assert op.name.startswith("tir.")
        assert op.dialect == "0.27"
        names = [param.name for param in op.params]
        assert len(set(names)) == len(names)
        assert op.result in (*names, "return_type", "dtype_first", "void") or DType(op.result).bits >= 32


@pytest.mark.parametrize("path", sorted(path for path, op in INSTRUCTIONS.items() if op.params or not op.rest))
def test_calls_read_back(path: str) -> None:
    """A call with all arguments is printed by name and reads back to the same call.

    Families of PTX, which are in the table once used, have modifiers instead of parameters.
    """
    op, n = INSTRUCTIONS[path], Var("n", "int32")
    args = [StringImm("int32") if param.name == op.result else n for param in op.params]
    positional = [arg for arg, param in zip(args, op.params, strict=True) if not param.is_keyword]
    keywords: dict[str, Any] = {param.name: n for param in op.params if param.is_keyword}
    if op.result == "dtype_first":
        keywords["dtype"] = "float16"
    call = op(*positional, **keywords)
    body = call.script(dialect="0.27", comments=False).split("\n")[-1]
    assert f"T.{path}(" in body
    again = only_call(f"T.evaluate({body})")
    assert (again.op, again.dtype, len(again.args)) == (op, call.dtype, len(args))


#: call, result, text; None: as written
CALLS = {
    "no arguments": ("T.cuda.cta_sync()", "void", None),
    "default": ('T.cuda.warp_reduce(A[0], "sum")', "float32", 'T.cuda.warp_reduce(A[0], "sum", 32)'),
    "by operator": ("T.cuda.warp_max(U[0], 8)", "uint32", 'T.cuda.warp_reduce(U[0], "max", 8)'),
    "keyword": ("T.cuda.warp_sum(A[0], width=16)", "float32", 'T.cuda.warp_reduce(A[0], "sum", 16)'),
    "dtype by name": ('T.cuda.ldg(A.data, "float16")', "float16", None),
    "register": ('T.cuda.mov_sreg(64, "globaltimer")', "int64", None),
    "left out": ('T.cuda.iket.mark("a")', "void", None),
    "given": ('T.cuda.iket.mark("a", U[0])', "void", None),
    "variadic": ('T.cuda.printf("%d %d", n, n)', "void", None),
    "source": ('T.cuda.func_call("f", n, source_code="c")', "void", None),
    "return type": ('T.cuda.func_call("f", n, source_code="c", return_type="int8")', "int8", None),
    "pointer": ('T.cuda.func_call("f", source_code="c", return_type=T.handle().ty)', "handle", None),
    "keywords": ('T.cuda.tcgen05.encode_instr_descriptor(V.data, d_dtype="float32", a_dtype="float16", '
                 'b_dtype="float16", M=64, N=8, K=16, trans_a=False, trans_b=True)', "void",
                 'T.cuda.tcgen05.encode_instr_descriptor(V.data, "float32", "float16", "float16", 64, 8, 16, '
                 "T.bool(False), T.bool(True), 1, T.bool(False), T.bool(False), T.bool(False), T.bool(False))"),
    "predicate": ("T.cuda.wait_until(U[0], U.data, lambda v: v == T.uint32(3))", "void",
                  'T.cuda.wait_until(U[0], U.data, U[0] == T.uint32(3), "gpu", "global", "", 0)'),
    "group": ("T.nvshmem.getmem_nbi(A.data, A.data, 4, 1)", "void", None),
    "member of group": ("T.nvshmem.getmem_nbi.warp(A.data, A.data, 4, 1)", "void", None),
    "descriptor": ('T.tensormap_encode_tiled(A.data, n, descriptor_dtype="float16", rank=1)', "void",
                   'T.tensormap_encode_tiled(A.data, n, descriptor_dtype="float16", rank=1, interleave=0, swizzle=0, '
                   "l2_promotion=0, oob_fill=0, force_cu_dtype=-1)"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_calls(name: str) -> None:
    text, dtype, printed = CALLS[name]
    func = read(f"T.evaluate({text})")
    assert only_call(f"T.evaluate({text})").dtype == dtype
    out = func.script(dialect="0.27", comments=False)
    assert out.split("\n")[-1].strip().removeprefix("T.evaluate(") in (printed or text, f"{printed or text})")
    assert_structural_equal(tvmscript.from_source(out), func)


REFUSED = {
    "too few": ("T.cuda.any_sync(n)", WrongArgumentCount),
    "too many": ("T.cuda.cta_sync(n)", WrongArgumentCount),
    "unknown keyword": ("T.cuda.ldg(A.data, kind=1)", UnknownName),
    "no keyword": ('T.cuda.func_call("f", n)', WrongArgumentCount),
    "no dtype": ('T.cuda.ldg(A.data, "float17")', InvalidDType),
    "no PTX": ('T.ptx["nope.f32"](n)', UnknownName),
    "no text": ("T.ptx[3](n)", WrongType),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, error = REFUSED[name]
    with pytest.raises(tvmscript.TVMScriptError) as caught:
        read(f"T.evaluate({text})")
    assert caught.value.code == error.code
    assert caught.value.span is not None


def test_condition() -> None:
    """An instruction that returns an integer is a condition, as in TVM 0.27."""
    short = read("if T.cuda.elect_sync():", "    A[0] = 1.0")
    assert_structural_equal(short, read("if T.cuda.elect_sync() != T.uint32(0):", "    A[0] = 1.0"))


def test_effects() -> None:
    assert instruction("cuda.thread_rank").effect is CallEffect.PURE
    assert instruction("cuda.cta_sync").effect is CallEffect.UPDATE_STATE
    assert instruction("ptx.ld").effect is CallEffect.UPDATE_STATE


def test_names() -> None:
    assert instruction("ptx.and") is instruction("ptx.and_")
    with pytest.raises(UnknownName):
        instruction("ptx.nope")


def test_copies() -> None:
    op = instruction("ptx.ld")
    assert pickle.loads(pickle.dumps(op)) is op
    assert copy.deepcopy(op) is op
