"""Names of TVM 0.27 that are not supported: its tile level, and its Python API.

They are listed for a precise error message.
"""

from __future__ import annotations

from tvmscript.parser.names.unsupported import BUILDER, UnsupportedName

TILE = "the tile level of TVM 0.27"
DEVICE = "the device instructions of TVM 0.27"
PYTHON = "the Python API of TVM 0.27"

#: reason -> names of `T`
_NAMES = {
    TILE: (
        "ComposeLayout ExecScope Iter Layout R S SMEMPool ScopeIdDef TMEMPool TensorMap TileLayout SwizzleLayout "
        "SmemSwizzleLayout TensorRegion ScopeBinding alloc_cast_frag alloc_tcgen05_ldst_frag cluster cluster_id cta "
        "LocalVectorAnnotation cta_id cta_id_in_cluster cta_id_in_pair decl_scalar device_entry elected "
        "hint lane_id scope_id tensormap_encode_tiled thread thread_id thread_id_in_wg tile tmem warp warp_id "
        "warp_id_in_wg warpgroup warpgroup_id wg wg_reg_tile add_to_parent"
    ),
    DEVICE: "nki nvshmem ptx",
    PYTHON: "block_name_suffix_context call_kernel constexpr Optional jit meta_class static_assert",
}
#: `I.` names
_MODULE_NAMES = "GenericConst StringType lookup_name pyfunc module_get_attr module_set_attr"

REFUSED: dict[str, object] = {
    name: UnsupportedName(f"T.{name}", reason) for reason, names in _NAMES.items() for name in names.split()
}
REFUSED_OF_MODULES: dict[str, object] = {
    **{name: UnsupportedName(f"I.{name}", PYTHON) for name in _MODULE_NAMES.split()},
    **{name: UnsupportedName(f"I.{name}", BUILDER) for name in ("IRModuleFrame", "decl_function", "def_function")},
}

#: namespace of a device -> the names in it that we have no operator for
DEVICE_NAMES = {
    "cuda": [
        "__shfl_xor_sync",
        "any_sync",
        "atomic_cas",
        "ballot_sync",
        "bfloat1622float2",
        "bfloat162float",
        "clock64",
        "cluster_sync",
        "cta_max",
        "cta_min",
        "cta_reduce",
        "cta_sum",
        "cta_sync",
        "cvta_generic_to_shared",
        "elect_sync",
        "fadd2_rn",
        "fdividef",
        "ffs_u32",
        "float22bfloat162_rn",
        "float22bfloat162_rn_from_float2",
        "float22half2",
        "float2_x",
        "float2_y",
        "float8tohalf8",
        "float_as_uint",
        "fmul2_rn",
        "fp8x4_e4m3_from_float4",
        "func_call",
        "get_tmem_addr",
        "grid_sync",
        "half2float",
        "half8tofloat8",
        "hmax2",
        "hmin2",
        "iket",
        "ldg",
        "make_float2",
        "mbarrier_wait",
        "mbarrier_wait_acquire_cluster",
        "mov_sreg",
        "nano_sleep",
        "printf",
        "reduce_add_sync_u32",
        "reduce_min_sync_u32",
        "runtime_instr_desc",
        "sm100_2sm_leader_smem_addr",
        "smem_addr_from_uint64",
        "syncthreads_and",
        "syncthreads_or",
        "tcgen05",
        "thread_fence",
        "thread_rank",
        "timer_end",
        "timer_finalize",
        "timer_init",
        "timer_start",
        "trap_when_assert_failed",
        "uint_as_float",
        "wait_until",
        "warp_max",
        "warp_min",
        "warp_reduce",
        "warp_sum",
        "warp_sync",
        "warpgroup_sync",
        "wgmma",
    ],
    "webgpu": ["subgroup_shuffle", "subgroup_shuffle_down", "subgroup_shuffle_up"],
    "s_tir": ["cp_async_raw"],
}
