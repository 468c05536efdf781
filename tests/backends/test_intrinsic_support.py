"""Each backend has each intrinsic, or refuses it by its name."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from tvmscript.backends import c, interp, llvm
from tvmscript.backends.c.codegen import CALL_RULES as C_RULES
from tvmscript.backends.c.errors import NotSupportedByC
from tvmscript.backends.cuda.codegen import CudaCodegen
from tvmscript.backends.interp.calls import SPECIAL
from tvmscript.backends.llvm.codegen.codegen import CALL_RULES
from tvmscript.backends.llvm.errors import NotSupportedByLLVM
from tvmscript.backends.llvm.math import EXPANSIONS
from tvmscript.backends.runtime.errors import Unsupported
from tvmscript.ir.core.module import IRModule
from tvmscript.ir.core.op import Op
from tvmscript.ir.tir.buffer import make_buffer
from tvmscript.ir.tir.expr import Call, IntImm, Var
from tvmscript.ir.tir.function import PrimFunc
from tvmscript.ir.tir.intrin import Intrinsic
from tvmscript.ir.tir.stmt import Evaluate

for rules in ("llvm.entry", "cuda.source"):  # registers the rules
    importlib.import_module(f"tvmscript.backends.{rules}")

INTRINSICS = {op.name: op for op in Op.registry.values() if isinstance(op, Intrinsic)}

#: Of devices, of other runtimes, and what earlier passes replace.
REFUSED_BY_BOTH = """
    tvm_bmma_sync tvm_mfma tvm_mfma_store tvm_rdna_wmma tvm_rdna_wmma_store ptx_mma_sp make_filled_simdgroup_matrix
    simdgroup_load simdgroup_store simdgroup_multiply_accumulate dp4a tvm_static_handle nd_mem_alloc_with_scope
    lookup_param texture2d_load texture2d_store call_spirv_pure_glsl450 tvm_call_trace_packed
    tvm_call_trace_packed_lowered tvm_check_return tvm_context_id tvm_thread_context anylist_getitem
    anylist_resetitem anylist_setitem_call_packed anylist_setitem_call_cpacked TVMBackendAnyListMoveFromPackedReturn
    TVMBackendAnyListSetPackedArg tvm_global_barrier_kinit hip.__activemask hip.__shfl_sync hip.__shfl_up_sync
    hip.__shfl_down_sync metal.simd_shuffle metal.simd_shuffle_up metal.simd_shuffle_down break_loop continue_loop
    tvm_kernel_replace_point tvm_warp_shuffle_xor ignore_loop_partition filter selector
    ptr_byte_offset call_ffi_kernel print_buffer cooperative_tensor_fill cooperative_tensor_load
    cooperative_tensor_store cooperative_tensor_multiply_accumulate buffer_offset
"""
#: Threads and tensor cores of GPUs, and debugging.
REFUSED_BY_LLVM = (
    REFUSED_BY_BOTH
    + """
    print breakpoint thread_return tvm_tuple type_annotation TVMBackendAllocWorkspace
    tvm_load_matrix_sync tvm_store_matrix_sync tvm_fill_fragment tvm_mma_sync mma_fill mma_store ptx_mma ptx_ldmatrix
    ptx_cp_async ptx_ldg32 ptx_commit_group ptx_wait_group dma_copy dma_wait dma_start_group dma_end_group
    create_barriers ptx_init_barrier_thread_count ptx_arrive_barrier ptx_arrive_barrier_expect_tx ptx_wait_barrier
    ptx_cp_async_barrier ptx_cp_async_bulk
    tvm_thread_allreduce tvm_warp_activemask tvm_warp_shuffle tvm_warp_shuffle_up tvm_warp_shuffle_down
    cuda.__activemask cuda.__shfl_sync cuda.__shfl_up_sync cuda.__shfl_down_sync
"""
)
#: What LLVM has besides: its own intrinsics, vectors, packed calls, atomic operations.
REFUSED_BY_C = (
    REFUSED_BY_LLVM
    + """
    TVMBackendFreeWorkspace atomic_add call_llvm_intrin call_llvm_pure_intrin get_active_lane_mask
    handle_add_byte_offset tvm_call_cpacked tvm_call_cpacked_lowered tvm_call_packed tvm_call_packed_lowered
    tvm_stack_alloca tvm_stack_make_array tvm_stack_make_shape tvm_struct_get tvm_struct_set tvm_throw_last_error
    vectorcombine vectorhigh vectorlow vscale
"""
)
#: Other devices, the host's calling convention, and what earlier passes replace.
REFUSED_BY_CUDA = """
    TVMBackendAllocWorkspace TVMBackendAnyListMoveFromPackedReturn TVMBackendAnyListSetPackedArg
    TVMBackendFreeWorkspace anylist_getitem anylist_resetitem anylist_setitem_call_cpacked anylist_setitem_call_packed
    breakpoint buffer_offset call_ffi_kernel call_llvm_intrin call_llvm_pure_intrin call_spirv_pure_glsl450
    cooperative_tensor_fill cooperative_tensor_load cooperative_tensor_multiply_accumulate cooperative_tensor_store
    dma_copy dma_end_group dma_start_group dma_wait filter get_active_lane_mask hip.__activemask hip.__shfl_down_sync
    hip.__shfl_sync hip.__shfl_up_sync ignore_loop_partition lookup_param make_filled_simdgroup_matrix
    metal.simd_shuffle metal.simd_shuffle_down metal.simd_shuffle_up nd_mem_alloc_with_scope print_buffer selector
    simdgroup_load simdgroup_multiply_accumulate simdgroup_store texture2d_load texture2d_store tvm_call_cpacked
    tvm_call_cpacked_lowered tvm_call_packed tvm_call_packed_lowered tvm_call_trace_packed
    tvm_call_trace_packed_lowered tvm_check_return tvm_context_id tvm_global_barrier_kinit tvm_kernel_replace_point
    tvm_mfma tvm_mfma_store tvm_rdna_wmma tvm_rdna_wmma_store tvm_stack_alloca tvm_stack_make_array
    tvm_stack_make_shape tvm_static_handle tvm_struct_get tvm_struct_set tvm_thread_allreduce tvm_thread_context
    tvm_throw_last_error tvm_tuple vscale
"""
#: The calling convention of native code.
REFUSED_BY_INTERPRETER = (
    REFUSED_BY_BOTH
    + """
    vscale ctpop tvm_struct_get tvm_struct_set atomic_add tvm_call_cpacked
    tvm_call_packed_lowered tvm_call_cpacked_lowered tvm_throw_last_error handle_add_byte_offset
"""
)


def names(text: str) -> set[str]:
    return {f"tir.{name}" for name in text.split()}


def kernel(name: str) -> IRModule:
    """A function that calls the operator and does nothing else."""
    op = INTRINSICS[name]
    x = IntImm("int32", 1)
    call = Call("int32", op, (x,) * max(op.num_inputs, op.least_inputs, 1 if op.num_inputs < 0 else 0))
    data = Var("A", "handle")
    buffer = make_buffer((x,), "int32", "A")
    return IRModule.from_expr(PrimFunc((data,), Evaluate(call), None, {data: buffer}, {"global_symbol": "main"}))


def test_llvm_has_every_other_intrinsic() -> None:
    assert {name for name, op in INTRINSICS.items() if name not in CALL_RULES and op.llvm is None} == names(
        REFUSED_BY_LLVM
    )


@pytest.mark.parametrize("name", sorted(names(REFUSED_BY_LLVM)))
def test_llvm_refuses_by_name(name: str) -> None:
    with pytest.raises(NotSupportedByLLVM, match=f"the operator {name}"):
        llvm.build(kernel(name))


def test_c_has_every_other_intrinsic() -> None:
    assert {name for name, op in INTRINSICS.items() if name not in C_RULES and op.c_name is None} == names(REFUSED_BY_C)


@pytest.mark.parametrize("name", sorted(names(REFUSED_BY_C)))
def test_c_refuses_by_name(name: str) -> None:
    with pytest.raises(NotSupportedByC, match=f"the operator {name}"):
        c.build(kernel(name))


def test_cuda_has_every_other_intrinsic() -> None:
    has_text = {name for name, op in INTRINSICS.items() if op.cuda or op.c_name or name in CudaCodegen.call_rules}
    assert INTRINSICS.keys() - has_text == names(REFUSED_BY_CUDA)


def test_the_interpreter_has_every_other_intrinsic() -> None:
    assert {name for name, op in INTRINSICS.items() if name not in SPECIAL and not op.lane_reference} == names(
        REFUSED_BY_INTERPRETER
    )


@pytest.mark.parametrize("name", sorted(names(REFUSED_BY_INTERPRETER)))
def test_the_interpreter_refuses_by_name(name: str) -> None:
    op = INTRINSICS[name]
    with pytest.raises(Unsupported, match=rf"T\.{op.script_name or op.name}"):
        interp.build(kernel(name))["main"](np.zeros(1, "int32"))


def test_expansions_belong_to_intrinsics() -> None:
    forms = {op.llvm for op in INTRINSICS.values() if op.llvm is not None}
    assert {form.removeprefix("math.") for form in forms if form.startswith("math.")} == set(EXPANSIONS)
    assert all(form.startswith(("math.", "llvm.")) for form in forms)


def test_functions_of_floats_state_their_error() -> None:
    """What is computed by an expansion or by C, and what is exact."""
    computed = [op for op in INTRINSICS.values() if op.c_name or (op.llvm or "").startswith("math.")]
    assert [op.name for op in computed if op.ulp is None] == []
    assert [op.name for op in computed if not op.lane_reference] == []
    exact = [op for op in computed if (op.llvm or "").startswith("llvm.")]
    assert {op.ulp for op in exact} == {(0, 0)}
