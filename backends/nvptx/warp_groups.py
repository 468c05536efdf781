"""Calls of Hopper (sm_90a): barriers in shared memory, of warp groups and of clusters, descriptors, kept registers."""

from __future__ import annotations

from typing import Final

from tvmscript.backends.cuda.ptx_writer import letter_of
from tvmscript.backends.llvm.codegen.codegen import NOTHING
from tvmscript.backends.llvm.codegen.memory import locate, store
from tvmscript.backends.llvm.types import value_type
from tvmscript.backends.nvptx.codegen import KernelCode, call_rule
from tvmscript.backends.nvptx.inline_assembly import emit_assembly, shared_address
from tvmscript.ir.tir import expr as tir

_GROUP = 128
#: wait for a barrier in shared memory -> how it is tested
_TESTS: Final = {
    "tir.cuda.mbarrier_wait": "test_wait.parity.shared",
    "tir.cuda.mbarrier_wait_acquire_cluster": "try_wait.parity.acquire.cluster.shared::cta",
}


@call_rule("cuda.cvta_generic_to_shared")
def emit_shared_address(cg: KernelCode, node: tir.Call) -> str:
    return shared_address(cg, cg.expr(node.args[0]))


@call_rule("cuda.warpgroup_sync")
def emit_group_barrier(cg: KernelCode, node: tir.Call) -> str:
    emit_assembly(cg, f"bar.sync $0, {_GROUP};", [("r", "i32", cg.expr(node.args[0]))])
    return NOTHING


@call_rule("cuda.cluster_sync")
def emit_cluster_barrier(cg: KernelCode, node: tir.Call) -> str:
    emit_assembly(cg, "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;", [])
    return NOTHING


@call_rule("cuda.mbarrier_wait", "cuda.mbarrier_wait_acquire_cluster")
def emit_wait(cg: KernelCode, node: tir.Call) -> str:
    """Test a barrier in shared memory until a phase is complete."""
    barrier, phase = node.args
    inputs = [("r", "i32", shared_address(cg, cg.expr(barrier))), ("r", "i32", cg.expr(phase))]
    test, done = cg.text.label("test"), cg.text.label("complete")
    cg.text.jump(test)
    cg.text.place(test)
    how = _TESTS[getattr(node.op, "name", "")]
    text = f"{{ .reg .pred p; mbarrier.{how}.b64 p, [$1], $2; selp.u32 $0, 1, 0, p; }}"
    (flag,) = emit_assembly(cg, text, inputs, [("r", "i32")])
    cg.text.branch(cg.text.value(f"icmp eq i32 {flag}, 0"), test, done)
    cg.text.place(done)
    return NOTHING


@call_rule("cuda.wgmma_encode_matrix_descriptor")
def emit_descriptor(cg: KernelCode, node: tir.Call) -> str:
    """Write the descriptor of a matrix: offsets in units of 16 bytes, the mode of swizzling in the highest bits."""
    target, address, leading, stride, swizzle = node.args
    text = cg.text
    pointer = cg.expr(address)
    start = shared_address(cg, pointer) if address.dtype.is_handle else pointer
    mode = text.value(f"sub i32 4, {cg.expr(swizzle)}")
    unit = text.value(f"lshr i32 {start}, 4")
    bits = ""
    for value, mask, shift in (
        (unit, 0x3FFF, 0), (cg.expr(leading), 0x3FFF, 16), (cg.expr(stride), 0x3FFF, 32), (mode, 3, 62),
    ):  # fmt: skip
        wide = text.value(f"zext i32 {text.value(f'and i32 {value}, {mask}')} to i64")
        field = text.value(f"shl i64 {wide}, {shift}")
        bits = text.value(f"or i64 {bits}, {field}") if bits else field
    text.do(f"store i64 {bits}, ptr {cg.expr(target)}, align 8")
    return NOTHING


@call_rule("cuda.wgmma_noop_barrier")
def emit_kept_register(cg: KernelCode, node: tir.Call) -> str:
    """Keep LLVM from moving a register across a product that is still running."""
    (register,) = node.args
    letter = letter_of(register.dtype)
    if letter is None or not isinstance(register, tir.BufferLoad):
        cg.refuse("wgmma.noop_barrier of something that is no register", node)
    kind = value_type(register.dtype)
    (value,) = emit_assembly(cg, "", [("0", kind, cg.expr(register))], [(letter, kind)])
    place = locate(cg, register.buffer, register.indices, register.dtype, is_store=True)
    store(cg, place.pointer, value, register.dtype, place.memory, place.align)
    return NOTHING
