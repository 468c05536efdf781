"""What LLVM cannot compile is refused with a reason: one program for each."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import tvmscript
from tests.backends.llvm.kernels import build_text, function, i32
from tvmscript.backends import llvm
from tvmscript.backends.llvm.errors import InvalidLLVM, NotSupportedByLLVM, WrongIntrinsicCall
from tvmscript.backends.llvm.owned_module import OwnedModule
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.core.targets.target import InvalidTarget
from tvmscript.ir.tir import const, stmt
from tvmscript.ir.tir import expr as tir

#: what is refused -> the parameters of a function, and a statement
REFUSED: Final = {
    "a packed call of a name that is no constant": ("h: T.handle", 'T.evaluate(T.call_packed(h))'),
    "a call_cpacked of a name that is no constant": (
        "h: T.handle", 'T.evaluate(T.Call("int32", "tir.tvm_call_cpacked", [h]))'
    ),
    "an array of a rank that is no constant": (
        "h: T.handle, n: T.int32",
        'T.call_packed("f", T.tvm_stack_make_array(h, T.tvm_stack_make_shape(1), 0, n, T.float32(0), 0))',
    ),
    "the vector parameter v": ("v: T.float32x4", "T.evaluate(0)"),
    "large_uint_imm of values that are no constants": (
        'A: T.Buffer((1,), "uint64"), n: T.uint32', 'A[0] = T.Call("uint64", "tir.large_uint_imm", [n, n])'
    ),
    "a cast from handle to float32": ('h: T.handle, A: T.Buffer((1,), "float32")', 'A[0] = T.Cast("float32", h)'),
    "address_of of something that is no element of a buffer": (
        'A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "bool")', "B[0] = T.isnullptr(T.address_of(A[0] + A[0]))"
    ),
    "call_extern of a name that is no constant": ("h: T.handle", 'T.evaluate(T.Call("int32", "tir.call_extern", [h]))'),
    "an LLVM intrinsic that is not given by its name": (
        'A: T.Buffer((1,), "float32")', 'A[0] = T.Call("float32", "tir.call_llvm_intrin", [A[0]])'
    ),
    "the LLVM intrinsic llvm.sqr": (
        'A: T.Buffer((1,), "float32")', 'A[0] = T.call_llvm_intrin("float32", "llvm.sqr", A[0])'
    ),
    "a vector index that is not contiguous, into the float32x2 elements of A": (
        'A: T.Buffer((8,), "float32x2"), B: T.Buffer((8,), "float32")', "B[0:8] = A[T.Ramp(0, 2, 4)]"
    ),
    "a Ramp of floats": ('A: T.Buffer((4,), "float32")', "A[0:4] = T.Ramp(T.float32(0), T.float32(1), 4)"),
    "the attribute thread_extent: a CPU has no such threads": (
        'A: T.Buffer((4,), "float32")', 'with T.attr(0, "thread_extent", 4):\n        A[0] = A[1]'
    ),
    "an element of 128 bits": ('A: T.Buffer((4,), "int128")', "A[0] = A[1]"),
}  # fmt: skip
#: the same for vectors whose length is not known
SCALABLE: Final = {
    "a Shuffle of scalable vectors": "A[0] = T.Shuffle([T.broadcast(A[0], 4 * T.vscale())], [n])",
    "half of a scalable vector": (
        'A[0 : 2 * T.vscale()] = T.vectorlow("float32xvscalex2", T.broadcast(A[0], 4 * T.vscale()))'
    ),
    "the concatenation of scalable vectors": (
        'A[0 : 8 * T.vscale()] = T.vectorcombine("float32xvscalex8", T.broadcast(A[0], 4 * T.vscale()), '
        "T.broadcast(A[0], 4 * T.vscale()))"
    ),
}
_SVE: Final = "llvm -mtriple=aarch64-linux-gnu -mattr=+sve"
#: what is wrong -> a store of the result of an intrinsic
WRONG_CALLS: Final = {
    "result has to have a known number of lanes, not float32xvscalex4": (
        'A[0 : 4 * T.vscale()] = T.call_llvm_intrin("float32xvscalex4", "llvm.sqrt", T.broadcast(A[0], 4 * T.vscale()))'
    ),
    "result has to be a scalar, not int32x4": 'B[0:4] = T.call_llvm_intrin("int32x4", "llvm.lround", A[0:4])',
    "argument 2 has to be a scalar, not int32x4": (
        'A[0:4] = T.call_llvm_intrin("float32x4", "llvm.powi", A[0:4], B[0:4])'
    ),
    "integers have to have several bits": 'C[0] = T.call_llvm_intrin("bool", "llvm.sadd.sat", C[0], C[0])',
    "the result has to be void, not int32": 'B[0] = T.call_llvm_intrin("int32", "llvm.prefetch", A.data, 0, 3, 1)',
    "argument 1 has to have as many lanes as the result": (
        'B[0:4] = T.call_llvm_intrin("int32x4", "llvm.fptosi.sat", A[0:2])'
    ),
}
#: what is wrong -> a target
TARGETS: Final = {
    "-split-reductions is 0 or 1, not 2": "llvm -split-reductions=2",
    "-vector-width is not an option of llvm": "llvm -vector-width=4",
    "LLVM knows no such machine": "llvm -mtriple=armfoo",
}


@pytest.mark.parametrize("what", REFUSED)
def test_programs(what: str) -> None:
    params, statement = REFUSED[what]
    reason = what.replace("call_cpacked", "packed call")
    with pytest.raises(NotSupportedByLLVM) as raised:
        build_text(f"@T.prim_func\ndef main({params}):\n    {statement}\n")
    assert raised.value.text.endswith(f"cannot compile {reason}")


@pytest.mark.parametrize("what", SCALABLE)
def test_scalable_vectors(what: str) -> None:
    text = f'@T.prim_func\ndef main(A: T.Buffer((64,), "float32"), n: T.int32):\n    {SCALABLE[what]}\n'
    with pytest.raises(NotSupportedByLLVM, match=what):
        build_text(text, _SVE)


@pytest.mark.parametrize("what", WRONG_CALLS)
def test_calls_of_intrinsics(what: str) -> None:
    params = ", ".join(
        f'{name}: T.Buffer((64,), "{dtype}")' for name, dtype in zip("ABC", ("float32", "int32", "bool"), strict=True)
    )
    with pytest.raises(WrongIntrinsicCall, match=what):
        build_text(f"@T.prim_func\ndef main({params}):\n    {WRONG_CALLS[what]}\n", _SVE)


@pytest.mark.parametrize("what", TARGETS)
def test_targets(what: str) -> None:
    with pytest.raises(InvalidTarget, match=what):
        build_text(
            '@T.prim_func\ndef main(A: T.Buffer((4,), "float32")):\n    A[0] = A[1]\n', TARGETS[what]
        ).get_source("asm")


def test_nodes_that_the_parser_does_not_make() -> None:
    message = tir.Var("message", "handle")
    nothing = stmt.Evaluate(i32(0))
    asserted = function(stmt.AssertStmt(const(False, "bool"), message, nothing), [])
    with pytest.raises(NotSupportedByLLVM, match="an assertion whose message is no constant"):
        llvm.build(IRModule.from_expr(asserted.replace(params=(message,))))
    with pytest.raises(NotSupportedByLLVM, match="the statement Block"):
        llvm.build(IRModule.from_expr(function(stmt.Block((), (), (), "B", nothing), [])))
    with pytest.raises(NotSupportedByLLVM, match="the variable message, which is not defined here"):
        llvm.build(
            IRModule.from_expr(function(stmt.Evaluate(tir.Call("bool", Op.get("tir.isnullptr"), (message,))), []))
        )


def test_a_packed_function_has_a_symbol() -> None:
    func = tvmscript.from_source(
        '@T.prim_func(private=True)\ndef main(n: T.int32):\n    T.func_attr({"calling_conv": 1})\n    T.evaluate(n)\n'
    )
    with pytest.raises(NotSupportedByLLVM, match="the packed function main, which has no symbol"):
        tvmscript.build(IRModule({"main": func}), target="llvm")


@pytest.mark.parametrize(
    "text", ["define void @f(", "define i32 @f() {\n  %1 = add i32 %2, 1\n  %2 = add i32 %1, 1\n  ret i32 %2\n}"]
)
def test_text_that_is_no_module(text: str) -> None:
    """The second reads well: each value is used before it is defined."""
    with pytest.raises(InvalidLLVM):
        OwnedModule(text)


def test_vectors_that_are_not_split() -> None:
    """Of 48 lanes: others are cut into parts of registers."""
    module = build_text("""
@T.prim_func
def main(A: T.Buffer((48,), "float32"), B: T.Buffer((1,), "float32x48"), C: T.Buffer((48,), "float32")):
    C[0:48] = A[0:48] + B[0]
""")
    a, b, c = np.arange(48, dtype="float32"), np.arange(100, 148, dtype="float32"), np.zeros(48, "float32")
    module["main"](a, b.reshape(1, 48), c)
    np.testing.assert_array_equal(c, a + b)
