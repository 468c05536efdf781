"""The names of `tvm.tir.tensor_intrin`: constants with the names of tensor intrinsics, `LDMATRIX_f16_A_INTRIN`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from tvmscript.ir.core.lazy import submodule
from tvmscript.ir.schedule.intrinsics.registry import CATALOGUE, TensorIntrin

#: constants that do not follow from the names of their intrinsics
_IRREGULAR: Final = {
    "VNNI_DOT_16x4_INTRIN": "dot_16x4_vnni",
    "AVX512_DOT_16x4_INTRIN": "dot_16x4_avx512",
    "ARM_DOT_4x4_i8_NEON_INTRIN": "dot_4x4_i8i8s32_neon",
    "ARM_DOT_4x4_i8_SDOT_INTRIN": "dot_4x4_i8i8s32_sdot",
    "ARM_DOT_4x4_u8_UDOT_INTRIN": "dot_4x4_u8u8u32_udot",
    "ARM_DOT_4x4_u8_HDOT_INTRIN": "dot_4x4_u8u8i32_hdot",
}

#: dtype -> its name in WMMA's intrinsics
_WMMA_DTYPES: Final = {"float16": "f16", "float32": "f32", "int8": "s8", "int32": "s32"}


# TVM's names that are absent are found by `tvm_names`
__path__: list[str] = []


@cache
def _by_folded_name() -> dict[str, str]:
    return {name.casefold(): name for name in CATALOGUE}


#: index maps between tiles in shared memory and the registers of a warp: (row, column) of the tile -> (lane,
#: register), or (lane, register) -> (row, column)
_LAYOUTS: Final[dict[str, Callable[[Any, Any], tuple[Any, Any]]]] = {
    "shared_16x16_to_ldmatrix_32x8_layout": lambda i, j: (i % 8 * 4 + j % 8 // 2, j // 8 * 4 + i // 8 * 2 + j % 2),
    "ldmatrix_32x8_to_shared_16x16_layout": lambda lane, at: (lane % 16, lane // 16 * 8 + at % 8),
    "shared_16x16_to_local_64x4_layout_A": lambda i, j: (j // 4 * 16 + i, j % 4),
    "shared_16x16_to_local_64x4_layout_B": lambda i, j: (i // 4 * 16 + j, i % 4),
    "shared_16x16_to_local_64x4_layout_C": lambda i, j: (i // 4 * 16 + j, i % 4),
}


def __getattr__(name: str) -> Any:
    if name in _LAYOUTS:
        return _LAYOUTS[name]
    if name == "dot_product_16x4_u8i8i32_desc":
        return TensorIntrin.get("dot_16x4_vnni").desc
    if name in _IRREGULAR:
        return _IRREGULAR[name]
    if "_INTRIN" in name:
        stem = name.replace("_INTRIN", "").casefold()
        shared = f"{stem[:-4]}_shared_dyn" if stem.endswith("_dyn") else f"{stem}_shared"
        for candidate in (stem, f"mma_{stem}", f"{stem}_", shared):
            if candidate in _by_folded_name():
                return _by_folded_name()[candidate]
    absent = submodule(__name__, name)
    if absent is not None:
        return absent
    raise AttributeError(f"module 'tvmscript.tir.tensor_intrin' has no attribute {name!r}")


def get_wmma_intrin_group(
    load_scope: str = "shared",
    store_scope: str = "shared",
    in_dtype: str = "float16",
    out_dtype: str = "float16",
    trans_b: bool = True,
) -> dict[str, str]:
    """Return the names of the intrinsics of a matrix product on WMMA's tensor cores, by what they do."""
    operand, result = _WMMA_DTYPES[in_dtype], _WMMA_DTYPES[out_dtype]
    transposed = "_trans" if trans_b else ""
    load, store = load_scope.replace(".", "_"), store_scope.replace(".", "_")
    return {
        "init": f"wmma_fill_16x16x16_{result}",
        "load_a": f"wmma_load_16x16x16_{operand}_a_{load}",
        "load_b": f"wmma_load_16x16x16_{operand}_b{transposed}_{load}",
        "compute": f"wmma_sync_16x16x16_{operand}{operand}{result}{transposed}",
        "store": f"wmma_store_16x16x16_{result}_{store}",
    }
