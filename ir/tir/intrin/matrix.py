"""Matrix units: NVIDIA's WMMA and PTX instructions, AMD's matrix cores, Metal's SIMD groups, dot products."""

from __future__ import annotations

from typing import Final

from tvmscript.ir.core import HANDLE, INT32, VOID, CallEffect, DType, PointerType, PrimType
from tvmscript.ir.tir.expr import StringImm, Var
from tvmscript.ir.tir.intrin.intrinsic import Intrinsic, offer, script_intrinsic

UPDATE = CallEffect.UPDATE_STATE


def _typed(name: str, params: str, doc: str, **defaults: object) -> Intrinsic:
    """An instruction whose dtype is the first argument."""
    entry = Intrinsic(name, params, None, num_inputs=-1, effect=UPDATE, dtype_position="first", doc=doc)
    return offer(entry, typed=True, defaults=defaults)


def _fixed(
    name: str, params: str, result: DType, doc: str, effect: CallEffect = UPDATE, cuda: str | None = None
) -> Intrinsic:
    return script_intrinsic(name, params, result, num_inputs=-1, effect=effect, cuda=cuda, doc=doc)


_FRAGMENTS = "fragment_d index_d fragment_a index_a fragment_b index_b fragment_c index_c"
_MULTIPLY = (
    "shape A_layout B_layout A_dtype B_dtype C_dtype multiplicand_a a_index multiplicand_b b_index accumulator c_index"
)
_STORE = "m n dst_ptr src_ptr src_offset dst_stride"
_TILE = "fragment m n k index buffer_ptr stride layout"

tvm_load_matrix_sync = _fixed(
    "tvm_load_matrix_sync", _TILE, HANDLE, "Load a fragment from memory.", CallEffect.READ_STATE
)
tvm_store_matrix_sync = _fixed("tvm_store_matrix_sync", _TILE, HANDLE, "Store a fragment to memory.")
tvm_fill_fragment = _fixed(
    "tvm_fill_fragment", "fragment m n k index value", HANDLE, "Set every element of a fragment."
)
tvm_mma_sync = _fixed("tvm_mma_sync", _FRAGMENTS, HANDLE, "d = a * b + c over fragments.")
tvm_bmma_sync = _fixed("tvm_bmma_sync", _FRAGMENTS, HANDLE, "d = a * b + c over fragments of single bits.")

mma_fill = _typed("mma_fill", "local_size local_ptr offset", "Set a thread's part of the accumulator to zero.")
mma_store = _typed("mma_store", _STORE, "Store the accumulator to memory.")
tvm_mfma = _typed("tvm_mfma", _MULTIPLY, "d = a * b + c on AMD's matrix cores.")
tvm_mfma_store = _typed("tvm_mfma_store", _STORE, "Store an accumulator of AMD's matrix cores.")
tvm_rdna_wmma = _typed("tvm_rdna_wmma", _MULTIPLY, "d = a * b + c on AMD's RDNA.")
tvm_rdna_wmma_store = _typed("tvm_rdna_wmma_store", _STORE, "Store an accumulator of AMD's RDNA.")

ptx_mma = _typed("ptx_mma", f"{_MULTIPLY} saturate operator", "The instruction mma.sync.", operator=None)
ptx_mma_sp = _typed(
    "ptx_mma_sp", f"{_MULTIPLY} metadata meta_index sparse_selector saturate", "The instruction mma.sp.sync."
)
ptx_ldmatrix = _typed(
    "ptx_ldmatrix", "trans num type local_ptr local_offset smem_ptr smem_offset", "The instruction ldmatrix."
)
ptx_cp_async = _typed(
    "ptx_cp_async",
    "shared_ptr shared_offset global_ptr global_offset bytes predicate",
    "The instruction cp.async; writes zeros where the predicate is false.",
    predicate=None,
)
ptx_cp_async_bulk = _typed(
    "ptx_cp_async_bulk",
    "shared_ptr shared_offset global_ptr global_offset bytes barrier_id",
    "The instruction cp.async.bulk.",
)
ptx_ldg32 = script_intrinsic(
    "ptx_ldg32",
    "reg guard addr local_addr",
    lambda args: args[2].dtype,
    effect=UPDATE,
    doc="Set an element of registers to the 32 loaded bits if the guard is true.",
)
ptx_commit_group = _fixed(
    "ptx_commit_group", "", VOID, "Close a group of asynchronous copies.", cuda="cp_async_commit()"
)
ptx_wait_group = _fixed("ptx_wait_group", "num", VOID, "Wait until at most `num` groups are pending.")
ptx_cp_async_barrier = _fixed(
    "ptx_cp_async_barrier",
    "barrier_id",
    VOID,
    "Let copies arrive at a barrier.",
    cuda="cp_async_arrive(&barrier[{barrier_id}])",
)
ptx_init_barrier_thread_count = _fixed(
    "ptx_init_barrier_thread_count",
    "barrier_id thread_count",
    VOID,
    "Set how many threads a barrier waits for.",
    cuda="mbarrier_init(&barrier[{barrier_id}], {thread_count})",
)
ptx_arrive_barrier = _fixed(
    "ptx_arrive_barrier", "barrier_id", VOID, "Arrive at a barrier.", cuda="mbarrier_arrive(&barrier[{barrier_id}])"
)
ptx_arrive_barrier_expect_tx = _fixed(
    "ptx_arrive_barrier_expect_tx",
    "barrier_id byte_count",
    VOID,
    "Arrive, and expect so many bytes.",
    cuda="mbarrier_arrive_expect(&barrier[{barrier_id}], {byte_count})",
)
ptx_wait_barrier = _fixed(
    "ptx_wait_barrier", "barrier_id", VOID, "Wait at a barrier.", cuda="mbarrier_wait(&barrier[{barrier_id}], 0)"
)
create_barriers = _fixed("create_barriers", "barrier_count", VOID, "Make barriers in shared memory.")

_TILE_DEFAULTS = {"col": 8, "row": 8}
make_filled_simdgroup_matrix = offer(
    Intrinsic(
        "make_filled_simdgroup_matrix", "d index value col row", HANDLE, effect=UPDATE, doc="A matrix of one value."
    ),
    defaults=_TILE_DEFAULTS,
)
_SIMDGROUP = "d index ptr stride col row transpose_matrix"
simdgroup_load = offer(
    Intrinsic("simdgroup_load", _SIMDGROUP, HANDLE, effect=UPDATE, doc="Load a matrix of a SIMD group."),
    defaults={**_TILE_DEFAULTS, "transpose_matrix": False},
)
simdgroup_store = offer(
    Intrinsic("simdgroup_store", _SIMDGROUP, HANDLE, effect=UPDATE, doc="Store a matrix of a SIMD group."),
    defaults={**_TILE_DEFAULTS, "transpose_matrix": False},
)
simdgroup_multiply_accumulate = script_intrinsic(
    "simdgroup_multiply_accumulate",
    "d index_d a index_a b index_b c index_c",
    HANDLE,
    effect=UPDATE,
    doc="d = a * b + c over matrices of a SIMD group.",
)
dp4a = offer(
    Intrinsic(
        "dp4a",
        "vec1 vec2 acc",
        INT32,
        doc="acc plus the dot product of two vectors of four 8-bit integers.",
    ),
    defaults={"acc": 0},
)


#: function of a matrix instruction -> its number of arguments besides the dtype, and where that follows from
DTYPE_SOURCES: Final[dict[str, tuple[int, int]]] = {
    "mma_fill": (3, 1),
    "mma_store": (6, 3),
    "ptx_ldmatrix": (7, 3),
    "ptx_mma": (13, 5),
}
_SHORT_NAMES: Final = {"fp16": "float16", "fp32": "float32", "fp64": "float64", "bf16": "bfloat16"}


def element_dtype(given: object) -> DType:
    """Return the dtype of the elements at a pointer, or that of a short name such as "fp32"."""
    if isinstance(given, Var) and isinstance(given.pointer_type, PointerType):
        element = given.pointer_type.element_type
        return element.dtype if isinstance(element, PrimType) else HANDLE
    name = given.value if isinstance(given, StringImm) else given
    return DType(_SHORT_NAMES.get(name, name)) if isinstance(name, str) else HANDLE
