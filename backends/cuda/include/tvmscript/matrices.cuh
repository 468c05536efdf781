// Matrices in the registers of a warp, for mma.sync.
#pragma once
#include "tvmscript/base.cuh"

#define TVMSCRIPT_LDMATRIX(name, modifier)                                                                            \
    template <int count> __device__ __forceinline__ void name(void *registers, const void *row) {                     \
        uint32_t *r = (uint32_t *)registers;                                                                           \
        const uint32_t address = shared_address(row);                                                                  \
        if constexpr (count == 1) {                                                                                    \
            asm volatile("ldmatrix.sync.aligned.m8n8.x1" modifier ".shared.b16 {%0}, [%1];"                            \
                         : "=r"(r[0]) : "r"(address) : "memory");                                                      \
        } else if constexpr (count == 2) {                                                                             \
            asm volatile("ldmatrix.sync.aligned.m8n8.x2" modifier ".shared.b16 {%0, %1}, [%2];"                        \
                         : "=r"(r[0]), "=r"(r[1]) : "r"(address) : "memory");                                          \
        } else {                                                                                                       \
            asm volatile("ldmatrix.sync.aligned.m8n8.x4" modifier ".shared.b16 {%0, %1, %2, %3}, [%4];"                \
                         : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(address) : "memory");                  \
        }                                                                                                              \
    }
TVMSCRIPT_LDMATRIX(ldmatrix, "")
TVMSCRIPT_LDMATRIX(ldmatrix_transposed, ".trans")
#undef TVMSCRIPT_LDMATRIX

// Elements of one byte are transposed by the threads: a thread's elements of a 16 x 32 part, in columns.
template <int count, typename T>
__device__ __forceinline__ void ldmatrix_transposed_bytes(T *registers, const T *rows, int32_t stride) {
    const int32_t lane = threadIdx.x % 32;
#pragma unroll
    for (int place = 0; place < 4 * count; ++place) {
        registers[place] = rows[(place % 4 + lane % 4 * 4 + place / 8 * 16) * stride + place % 8 / 4 * 8 + lane / 4];
    }
}

// Stores a 16 x 16 accumulator, two of 16 x 8.
template <typename T, typename S>
__device__ __forceinline__ void mma_store(T *target, const S *registers, int32_t stride) {
    const int32_t lane = threadIdx.x % 32;
#pragma unroll
    for (int place = 0; place < 8; ++place) {
        const int32_t row = lane / 4 + place % 4 / 2 * 8;
        const int32_t column = lane % 4 * 2 + place % 2 + place / 4 * 8;
        target[row * stride + column] = registers[place];
    }
}
