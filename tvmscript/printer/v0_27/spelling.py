"""Names of the dialect 0.27, and its forms of operators."""

from __future__ import annotations

from tvmscript.ir.core import INT32, VOID
from tvmscript.printer.spelling import Spelling

_FLOAT8 = {"e4m3_float8": "float8_e4m3fn", "e5m2_float8": "float8_e5m2"}
_NEW_DTYPES = {f"{old}{lanes}": f"{new}{lanes}" for old, new in _FLOAT8.items()
               for lanes in ("", *[f"x{count}" for count in range(2, 129)])}  # fmt: skip

SPELLING = Spelling(
    dialect="0.27",
    module="tirx",
    other_imports=("# from tvm.tirx.layout import Axis",),
    block="sblock",
    block_attr="sblock_attr",
    alloc_buffer="sblock_alloc_buffer",
    decl_buffer="decl_buffer",
    prefix="tirx.",
    dtypes=_NEW_DTYPES,
    out_info="out_ty",
    info_args="ty_args",
    anything="Any",
    device=("device_type", "index"),
    distributed="dist.",
    constant="ir.GenericConst",
    dropped_attributes={"axis_separators": (), "input_axis_separators": ()},
    open_tail=False,
    declares_first=False,
    has_size_vars=False,
    has_buffer_types=False,
    has_layouts=True,
    strides_take_names=True,
    names_memory_scope=True,
    typed_packed_attributes=False,
)

#: operator -> its function in a namespace of T
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
    "tir.ptx_ldg32": "s_tir.ldg32",
    "tir.atomic_add": "cuda.atomic_add",
}
#: the same, where the dtype is the first argument
TYPED_NAMESPACED = {
    "tir.mma_fill": "cuda.mma_fill_legacy",
    "tir.mma_store": "cuda.mma_store_legacy",
    "tir.ptx_ldmatrix": "ptx_legacy.ldmatrix",
    "tir.ptx_mma": "ptx_legacy.mma",
    "tir.ptx_cp_async": "s_tir.cp_async_raw",
}
#: operators that 0.27 has no function for
REMOVED = frozenset(
    f"tir.{name}"
    for name in [
        "create_barriers",
        "ptx_arrive_barrier",
        "ptx_arrive_barrier_expect_tx",
        "ptx_commit_group",
        "ptx_cp_async_barrier",
        "ptx_cp_async_bulk",
        "ptx_init_barrier_thread_count",
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
#: operators in the namespace `prim`
PRIM = frozenset(f"tir.{name}" for name in ("ceil", "clz", "if_then_else", "likely", "log2", "vscale"))
#: operators that are written T.call_intrin(dtype, name, ...)
UNNAMED = frozenset(("tir.prefetch",))
#: operators with another name or dtype than in 0.17 -> their name in T, and the dtype of calls by it
RENAMED = {
    "tir.TVMBackendAnyListMoveFromPackedReturn": ("tirx.TVMBackendAnyListMoveFromPackedReturn", INT32),
    "tir.TVMBackendAnyListSetPackedArg": ("tirx.TVMBackendAnyListSetPackedArg", INT32),
    "tir.tvm_global_barrier_kinit": ("tvm_global_barrier_kinit", VOID),
}
#: Relax operator -> arguments that are attributes in 0.27: position -> (name, number of attributes before it)
ATTRIBUTE_ARGUMENTS: dict[str, dict[int, tuple[str, int]]] = {
    "ccl.allgather": {1: ("num_workers", 0)},
    "nn.pad": {1: ("pad_value", 1)},
}
#: Relax operator -> numbers that 0.27 writes as True and False: positions of arguments, names of attributes
BOOLEANS: dict[str, tuple[int | str, ...]] = {
    "cumprod": ("exclusive",),
    "cumsum": ("exclusive",),
    "hamming_window": (1,),
    "unique": (1, 2, 3, 4),
}
