// Atomic operations on values that CUDA's functions do not take.
#pragma once
#include "tvmscript/bfloat16.cuh"
#include "tvmscript/float16.cuh"

__device__ __forceinline__ float16 atomicAdd(float16 *place, float16 value) {
    float16 before;
    asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(before.bits) : "l"(place), "h"(value.bits) : "memory");
    return before;
}

// The compiler has an instruction for this from sm_90 on; others exchange the two elements of a word.
__device__ __forceinline__ bfloat16 atomicAdd(bfloat16 *place, bfloat16 value) {
    uint32_t *word = (uint32_t *)((uintptr_t)place & ~(uintptr_t)3);
    const int32_t shift = ((uintptr_t)place & 2) * 8;
    uint32_t seen = *word, expected;
    bfloat16 before;
    do {
        expected = seen;
        before.bits = (uint16_t)(expected >> shift);
        const bfloat16 after = before + value;
        seen = atomicCAS(word, expected, (expected & ~(0xffffu << shift)) | (uint32_t)after.bits << shift);
    } while (seen != expected);
    return before;
}

#define TVMSCRIPT_ATOMIC_FLOAT(name, chosen)                                                                          \
    __device__ __forceinline__ float name(float *place, float value) {                                                 \
        uint32_t seen = *(uint32_t *)place, expected;                                                                  \
        do {                                                                                                           \
            expected = seen;                                                                                           \
            const float before = __uint_as_float(expected);                                                            \
            seen = atomicCAS((uint32_t *)place, expected, __float_as_uint(chosen));                                    \
        } while (seen != expected);                                                                                    \
        return __uint_as_float(seen);                                                                                  \
    }
TVMSCRIPT_ATOMIC_FLOAT(atomicMax, before > value ? before : value)
TVMSCRIPT_ATOMIC_FLOAT(atomicMin, before < value ? before : value)
#undef TVMSCRIPT_ATOMIC_FLOAT
