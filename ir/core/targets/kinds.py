"""Kinds of targets and what may be said about each of them: what TVM 0.17 and 0.27 know, and our own."""

from __future__ import annotations

from typing import Final

#: Options that every kind has.
COMMON: Final = frozenset(["device", "from_device", "host", "keys", "libs", "model", "tag", "target_device_type"])

_GPU = "max_num_threads max_shared_memory_per_block max_threads_per_block thread_warp_size"

#: kind -> its own options
KINDS: Final[dict[str, frozenset[str]]] = {
    kind: frozenset(options.split())
    for kind, options in {
        "aocl": "",
        "aocl_sw_emu": "",
        "c": "constants-byte-alignment march mcpu workspace-byte-alignment",
        "ccompiler": "header",
        "composite": "devices",
        "cuda": _GPU + " arch l2_cache_size_bytes mcpu registers_per_block",
        "cuda_host": "",
        "ext_dev": "",
        "hexagon": "llvm-options mattr mcpu mtriple num-cores vtcm-capacity",
        "hip": _GPU + " mcpu",
        "hybrid": "",
        "interp": "",
        "llvm": "cl-opt fast-math fast-math-arcp fast-math-contract fast-math-ninf fast-math-nnan fast-math-nsz"
        " fast-math-reassoc ffp-contract jit mabi mattr mcpu mfloat-abi mtriple num-cores opt-level parallel-threshold"
        " split-reductions vector-width",
        "metal": _GPU + " max_function_args",
        "nvptx": "max_num_threads mcpu mtriple thread_warp_size",
        "opencl": _GPU + " image_base_address_alignment max_function_args texture_depth_limit texture_spatial_limit",
        "rocm": _GPU + " mattr mcpu mtriple",
        "sdaccel": "",
        "stackvm": "",
        "test": "",
        "trn": "max_psum_size_per_partition max_sbuf_size_per_partition num-cores partition_size",
        "vulkan": _GPU + " device_name device_type driver_name driver_version mattr max_block_size_x max_block_size_y"
        " max_block_size_z max_per_stage_descriptor_storage_buffer max_push_constants_size max_spirv_version"
        " max_storage_buffer_range max_uniform_buffer_range supported_subgroup_operations"
        " supports_16bit_buffer supports_8bit_buffer supports_cooperative_matrix supports_dedicated_allocation"
        " supports_float16 supports_float32 supports_float64 supports_int16 supports_int32 supports_int64"
        " supports_int8 supports_integer_dot_product supports_push_descriptor"
        " supports_storage_buffer_storage_class vulkan_api_version",
        "webgpu": "max_num_threads max_shared_memory_per_block supports_subgroups thread_warp_size",
    }.items()
}

#: kind -> number of its device type (DLPack's), where it is no CPU
DEVICE_TYPES: Final[dict[str, int]] = {
    "aocl": 5,
    "aocl_sw_emu": 5,
    "cuda": 2,
    "cuda_host": 3,
    "ext_dev": 12,
    "hexagon": 16,
    "hip": 10,
    "metal": 8,
    "nvptx": 2,
    "opencl": 4,
    "rocm": 10,
    "sdaccel": 4,
    "vulkan": 7,
    "webgpu": 15,
}
