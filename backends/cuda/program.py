"""The parts of a CUDA text that its kernels share: headers of `include/`, helpers, names."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Final

from tvmscript.backends.c.program import Names, Program
from tvmscript.ir.core import DType, Span

_WORD: Final = re.compile(r"\w+")
#: words of CUDA besides those of C
_RESERVED: Final = frozenset(
    _WORD.findall("""
    threadIdx blockIdx blockDim gridDim warpSize asm class delete new operator private protected public template this
    throw try catch typename using virtual namespace friend explicit mutable export and or not xor bitand bitor compl
    constexpr nullptr alignas alignof decltype noexcept static_assert thread_local wchar_t int2 int3 int4 uint2 uint3
    uint4 float2 float3 float4 double2 double4 dim3 half half2 bfloat16 Vec Int4Pointer barrier reinterpret lane_of
    e4m3_float8 e5m2_float8 float16 TensorMap printf clock clock64 min max abs shared_memory nibble
    """)
)
_INCLUDE: Final = re.compile(r'^#include "tvmscript/(\w+\.cuh)"\n', re.MULTILINE)
#: header -> names of it that texts use
HEADERS: Final = {
    "base.cuh": "",
    "atomics.cuh": "atomicAdd atomicMax atomicMin",
    "barriers.cuh": """
        mbarrier_init mbarrier_arrive mbarrier_arrive_expect mbarrier_wait mbarrier_wait_cluster named_barrier elect_one
        cluster_sync cluster_rank_x cluster_rank_y cluster_rank_z thread_rank trap_unless grid_sync
    """,
    "bfloat16.cuh": "bfloat16",
    "convert.cuh": "saturate",
    "copies.cuh": "cp_async cp_async_commit cp_async_wait cp_async_arrive cp_async_bulk",
    "float16.cuh": "float16",
    "float8.cuh": "e4m3_float8 e5m2_float8",
    "int4.cuh": "Int4Pointer nibble",
    "matrices.cuh": "ldmatrix ldmatrix_transposed ldmatrix_transposed_bytes mma_store",
    "pairs.cuh": "make_pair first_of_pair second_of_pair float22half2",
    "tensor_maps.cuh": "TensorMap",
    "vec.cuh": "Vec",
    "warp.cuh": "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync warp_reduce",
    "wgmma.cuh": "async_proxy_fence wgmma_keep wgmma_descriptor tensor_memory_address",
}


@cache
def headers() -> dict[str, str]:
    """Return the texts of `include/tvmscript` by name."""
    folder = files("tvmscript.backends.cuda") / "include" / "tvmscript"
    return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir(), key=lambda path: path.name)}


@cache
def _header_of() -> dict[str, str]:
    """Return the header that defines a name."""
    return {name: header for header, names in HEADERS.items() for name in names.split()}


def headers_for(text: str) -> list[str]:
    """Return the headers that a text needs, the basic one first."""
    header_of = _header_of()
    needed = {header_of[word] for word in set(_WORD.findall(text)) if word in header_of}
    return ["base.cuh", *sorted(needed)]


def self_contained(text: str) -> str:
    """Return a text with the headers that it includes in it, for other compilers."""
    seen: set[str] = set()

    def insert(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in seen:
            return ""
        seen.add(name)
        return _INCLUDE.sub(insert, headers()[name].replace("#pragma once\n", ""))

    return _INCLUDE.sub(insert, text)


class CudaProgram(Program):
    """A CUDA text under construction."""

    def __init__(self) -> None:
        super().__init__(names=Names(reserved=_RESERVED), headers=set())
        #: texts of users (`pragma_import_c`), and declarations outside of kernels
        self.imports: dict[str, None] = {}

    def helper(self, name: str, dtype: DType, source: DType | None = None) -> str:
        symbol = super().helper(name, dtype, source)
        self.helpers[symbol] = self.helpers[symbol].replace("static inline", "static __device__ __forceinline__")
        return symbol

    def external(self, name: str, result: str, params: list[str], span: Span | None) -> None:
        """Do nothing: functions of CUDA are declared, and those of users are in the program's imports."""

    def text(self, functions: list[str], prototypes: list[str]) -> str:
        """Return the text: headers, helpers, kernels."""
        own = [*self.imports, *self.helpers.values(), *functions]
        names = headers_for("\n".join(own))
        return "\n".join(["".join(f'#include "tvmscript/{name}"\n' for name in names), *own])
