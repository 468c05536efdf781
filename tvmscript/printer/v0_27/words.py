"""What TVM 0.27 calls otherwise than 0.17 does: tables of words. `tirx` has what it writes in another form."""

from __future__ import annotations

from dataclasses import dataclass, field

#: dialects that `script(dialect=...)` knows
DIALECTS = ("0.17", "0.27")


@dataclass(frozen=True, slots=True)
class Words:
    """Names that differ."""

    #: of `tvm.script` that is imported as T
    module: str
    block: str
    block_attr: str
    alloc_buffer: str
    decl_buffer: str
    #: prefix of attribute keys and operators
    prefix: str
    #: dtype -> its name, where that is another one
    dtypes: dict[str, str] = field(default_factory=dict)
    #: of the graph level: what is said of the result of a call, of one that is not known otherwise; any value
    out_info: str = "out_sinfo"
    info_args: str = "sinfo_args"
    anything: str = "Object"
    #: the kind and the number of `R.device`
    device: tuple[str, str] = ("dev_type", "dev_id")
    #: where the names of meshes of devices are
    distributed: str = ""
    #: of the section of constants
    constant: str = "relax.expr.Constant"

    def key(self, name: str) -> str:
        """The key of an attribute."""
        return f"{self.prefix}{name[4:]}" if self.prefix != "tir." and name.startswith("tir.") else name


_FLOAT8 = {"e4m3_float8": "float8_e4m3fn", "e5m2_float8": "float8_e5m2"}
_NEW_DTYPES = {f"{old}{lanes}": f"{new}{lanes}" for old, new in _FLOAT8.items()
               for lanes in ("", *[f"x{count}" for count in range(2, 129)])}  # fmt: skip

WORDS = {
    "0.17": Words("tir", "block", "block_attr", "alloc_buffer", "Buffer", "tir."),
    "0.27": Words(
        "tirx", "sblock", "sblock_attr", "sblock_alloc_buffer", "decl_buffer", "tirx.", _NEW_DTYPES,
        "out_ty", "ty_args", "Any", ("device_type", "index"), "dist.", "ir.GenericConst",
    ),
}  # fmt: skip

#: operators that 0.27 offers in a namespace: name -> its function there
NAMESPACED = {
    "tir.cuda.__activemask": "cuda.__activemask",
    "tir.cuda.__shfl_sync": "cuda.__shfl_sync",
    "tir.cuda.__shfl_up_sync": "cuda.__shfl_up_sync",
    "tir.cuda.__shfl_down_sync": "cuda.__shfl_down_sync",
    "tir.metal.simd_shuffle": "metal.simd_shuffle",
    "tir.metal.simd_shuffle_up": "metal.simd_shuffle_up",
    "tir.metal.simd_shuffle_down": "metal.simd_shuffle_down",
    "tir.make_filled_simdgroup_matrix": "metal.make_filled_simdgroup_matrix",
    "tir.simdgroup_load": "metal.simdgroup_load",
    "tir.simdgroup_store": "metal.simdgroup_store",
    "tir.simdgroup_multiply_accumulate": "metal.simdgroup_multiply_accumulate",
}
#: the same, with the dtype in front
TYPED = {
    "tir.mma_fill": "cuda.mma_fill_legacy",
    "tir.mma_store": "cuda.mma_store_legacy",
    "tir.ptx_ldmatrix": "ptx_legacy.ldmatrix",
    "tir.ptx_mma": "ptx_legacy.mma",
}
#: functions of `T` that 0.27 does not have any more
GONE = frozenset(
    f"tir.{name}"
    for name in [
        "create_barriers",
        "ptx_arrive_barrier",
        "ptx_arrive_barrier_expect_tx",
        "ptx_commit_group",
        "ptx_cp_async",
        "ptx_cp_async_barrier",
        "ptx_cp_async_bulk",
        "ptx_init_barrier_thread_count",
        "ptx_ldg32",
        "ptx_mma_sp",
        "ptx_wait_barrier",
        "ptx_wait_group",
        "tvm_check_return",
        "tvm_mfma",
        "tvm_mfma_store",
        "tvm_rdna_wmma",
        "tvm_rdna_wmma_store",
        "tvm_thread_context",
        "large_uint_imm",
        "hip.__activemask",
        "hip.__shfl_sync",
        "hip.__shfl_up_sync",
        "hip.__shfl_down_sync",
    ]
)
#: operators of the core that all levels share
PRIM = frozenset(f"tir.{name}" for name in ("ceil", "clz", "if_then_else", "likely", "log2", "vscale"))
#: operators without a function in `T`, which 0.27 reads as T.call_intrin(dtype, name, ...)
UNNAMED = frozenset(
    f"tir.{name}"
    for name in [
        "TVMBackendAnyListMoveFromPackedReturn",
        "TVMBackendAnyListSetPackedArg",
        "atomic_add",
        "call_spirv_pure_glsl450",
        "dma_copy",
        "dma_end_group",
        "dma_start_group",
        "dma_wait",
        "nd_mem_alloc_with_scope",
        "prefetch",
        "texture2d_load",
        "texture2d_store",
        "tvm_call_trace_packed",
        "tvm_call_trace_packed_lowered",
        "tvm_context_id",
        "tvm_static_handle",
    ]
)
#: attributes of operators of the graph level that 0.27 does not have any more, with the values that say nothing
DROPPED: dict[str, object] = {"axis_separators": (), "input_axis_separators": ()}
#: operator of the graph level -> its arguments that are attributes in 0.27: position -> name, attributes before it
NAMED: dict[str, dict[int, tuple[str, int]]] = {
    "ccl.allgather": {1: ("num_workers", 0)},
    "nn.pad": {1: ("pad_value", 1)},
}
#: operator of the graph level -> numbers that 0.27 writes as True and False: arguments by position, attributes by name
FLAGS: dict[str, tuple[int | str, ...]] = {
    "cumprod": ("exclusive",),
    "cumsum": ("exclusive",),
    "hamming_window": (1,),
    "unique": (1, 2, 3, 4),
}
