"""Calls of what threads do together: barriers, shuffles, votes, atomic operations."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.llvm.codegen.bits import reinterpret_bits
from tvmscript.backends.llvm.codegen.codegen import NOTHING
from tvmscript.backends.llvm.types import value_type
from tvmscript.backends.nvptx.codegen import KernelCode, call_rule
from tvmscript.backends.nvptx.inline_assembly import emit_assembly
from tvmscript.backends.runtime.errors import KernelAssertion
from tvmscript.ir.core import DType
from tvmscript.ir.tir import expr as tir

_WARP: Final = 32
#: storage scope -> what makes the threads that share it wait for each other
_BARRIERS: Final = {
    "shared": ("llvm.nvvm.barrier.cta.sync.aligned.all", "i32 0"),
    "shared.dyn": ("llvm.nvvm.barrier.cta.sync.aligned.all", "i32 0"),
    "warp": ("llvm.nvvm.bar.warp.sync", "i32 -1"),
}


def _wait(cg: KernelCode, scope: str) -> str:
    name, operand = _BARRIERS[scope]
    cg.text.do(f"call void {cg.program.text.declare(name, 'void {}(i32)')}({operand})")
    return NOTHING


@call_rule("tvm_storage_sync")
def emit_storage_sync(cg: KernelCode, node: tir.Call) -> str:
    scope = node.args[0]
    if not isinstance(scope, tir.StringImm) or scope.value not in _BARRIERS:
        cg.refuse(f"a barrier of the scope {getattr(scope, 'value', scope)!r}", node)
    if cg.has_async_reads and scope.value != "warp":
        # products of warp groups and bulk copies read what was written before by another proxy
        emit_assembly(cg, "fence.proxy.async.shared::cta;")
    return _wait(cg, scope.value)


@call_rule(**{"cuda.cta_sync": "shared", "cuda.warp_sync": "warp"})
def emit_barrier(cg: KernelCode, node: tir.Call, scope: str) -> str:
    return _wait(cg, scope)


@call_rule("tvm_warp_activemask", "cuda.__activemask")
def emit_active_mask(cg: KernelCode, node: tir.Call) -> str:
    return cg.text.value(f"call i32 {cg.program.text.declare('llvm.nvvm.activemask', 'i32 {}()')}()")


#: operator -> mode of the instruction, and the bits of its clamp that hold the last lane
_SHUFFLES: Final = {
    "tvm_warp_shuffle": ("idx", _WARP - 1),
    "tvm_warp_shuffle_up": ("up", 0),
    "tvm_warp_shuffle_down": ("down", _WARP - 1),
    "cuda.__shfl_sync": ("idx", _WARP - 1),
    "cuda.__shfl_up_sync": ("up", 0),
    "cuda.__shfl_down_sync": ("down", _WARP - 1),
    "cuda.__shfl_xor_sync": ("bfly", _WARP - 1),
}


@call_rule(**_SHUFFLES)
def emit_shuffle(cg: KernelCode, node: tir.Call, form: tuple[str, int]) -> str:
    """Write a shuffle of words of 32 bits: a narrow value is one, a wide one two of them."""
    mask, value, lane, width = node.args[:4]
    mode, clamp = form
    dtype = value.dtype
    if dtype.lanes != 1 or not isinstance(width, tir.IntImm):
        cg.refuse(f"a shuffle of {dtype} with the width {width}", node)
    bits = dtype.bits
    pattern = DType(f"int{max(bits, 8)}")
    operand = reinterpret_bits(cg, cg.expr(value), dtype, pattern) if not dtype.is_bool else cg.expr(value)
    kind = value_type(pattern if not dtype.is_bool else dtype)
    symbol = cg.program.text.declare(f"llvm.nvvm.shfl.sync.{mode}.i32", "i32 {}(i32, i32, i32, i32)")
    control = (_WARP - width.value) << 8 | clamp
    arguments = cg.expr(mask), cg.expr(lane)

    def exchange(word: str) -> str:
        return cg.text.value(f"call i32 {symbol}(i32 {arguments[0]}, i32 {word}, i32 {arguments[1]}, i32 {control})")

    if bits <= _WARP:
        word = operand if kind == "i32" else cg.text.value(f"zext {kind} {operand} to i32")
        result = exchange(word)
        result = result if kind == "i32" else cg.text.value(f"trunc i32 {result} to {kind}")
    else:
        words = [operand, cg.text.value(f"lshr i64 {operand}, 32")]
        halves = [exchange(cg.text.value(f"trunc i64 {word} to i32")) for word in words]
        low, high = (cg.text.value(f"zext i32 {half} to i64") for half in halves)
        result = cg.text.value(f"or i64 {low}, {cg.text.value(f'shl i64 {high}, 32')}")
    return result if dtype.is_bool else reinterpret_bits(cg, result, pattern, dtype)


#: operator -> intrinsic of a vote
_VOTES: Final = {"cuda.ballot_sync": ("ballot", "i32"), "cuda.any_sync": ("any", "i1"), "cuda.all_sync": ("all", "i1")}


@call_rule(**_VOTES)
def emit_vote(cg: KernelCode, node: tir.Call, form: tuple[str, str]) -> str:
    mask, predicate = node.args
    name, result = form
    flag = cg.convert.cast(cg.expr(predicate), predicate.dtype, DType("bool"))
    symbol = cg.program.text.declare(f"llvm.nvvm.vote.{name}.sync", f"{result} {{}}(i32, i1)")
    vote = cg.text.value(f"call {result} {symbol}(i32 {cg.expr(mask)}, i1 {flag})")
    return vote if result == "i32" else cg.convert.cast(vote, DType("bool"), node.dtype)


@call_rule("cuda.trap_when_assert_failed")
def emit_trap(cg: KernelCode, node: tir.Call) -> str:
    """Stop the program of the device unless a condition holds."""
    (condition,) = node.args
    good, bad = cg.text.label("holds"), cg.text.label("fails")
    cg.text.branch_likely(cg.convert.cast(cg.expr(condition), condition.dtype, DType("bool")), good, bad)
    cg.text.place(bad)
    cg.fail(KernelAssertion)
    cg.text.place(good)
    return NOTHING
