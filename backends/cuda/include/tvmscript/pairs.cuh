// Two float32 in 64 bits, two narrow floats in 32 bits.
#pragma once
#include "tvmscript/base.cuh"

__device__ __forceinline__ uint64_t make_pair(float x, float y) {
    return (uint64_t)__float_as_uint(y) << 32 | __float_as_uint(x);
}
__device__ __forceinline__ float first_of_pair(uint64_t pair) { return __uint_as_float((uint32_t)pair); }
__device__ __forceinline__ float second_of_pair(uint64_t pair) { return __uint_as_float((uint32_t)(pair >> 32)); }

// Rounds two float32 to two float16.
__device__ __forceinline__ void float22half2(void *target, const void *source) {
    const float *given = (const float *)source;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(*(uint32_t *)target) : "f"(given[1]), "f"(given[0]));
}
