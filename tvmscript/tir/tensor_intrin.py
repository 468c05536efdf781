"""The names of `tvm.tir.tensor_intrin`: constants with the names of tensor intrinsics, `LDMATRIX_f16_A_INTRIN`."""

from __future__ import annotations

from functools import cache
from typing import Final

from tvmscript.ir.schedule.intrinsics.registry import CATALOGUE

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


@cache
def _by_folded_name() -> dict[str, str]:
    return {name.casefold(): name for name in CATALOGUE}


def __getattr__(name: str) -> str:
    if name in _IRREGULAR:
        return _IRREGULAR[name]
    if "_INTRIN" in name:
        stem = name.replace("_INTRIN", "").casefold()
        shared = f"{stem[:-4]}_shared_dyn" if stem.endswith("_dyn") else f"{stem}_shared"
        for candidate in (stem, f"mma_{stem}", f"{stem}_", shared):
            if candidate in _by_folded_name():
                return _by_folded_name()[candidate]
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
