// bfloat16: the upper half of a float32. Arithmetic is that of float32.
#pragma once
#include "tvmscript/convert.cuh"

struct bfloat16 {
    uint16_t bits;

    bfloat16() = default;
    __device__ __forceinline__ bfloat16(float x) { asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    template <typename T> __device__ __forceinline__ explicit bfloat16(T x) : bfloat16(round_to_odd(x)) {}

    __device__ __forceinline__ operator float() const { return __uint_as_float((uint32_t)bits << 16); }
};

__device__ __forceinline__ bfloat16 operator+(bfloat16 a, bfloat16 b) { return bfloat16((float)a + (float)b); }
__device__ __forceinline__ bfloat16 operator-(bfloat16 a, bfloat16 b) { return bfloat16((float)a - (float)b); }
__device__ __forceinline__ bfloat16 operator*(bfloat16 a, bfloat16 b) { return bfloat16((float)a * (float)b); }
__device__ __forceinline__ bfloat16 operator/(bfloat16 a, bfloat16 b) { return bfloat16((float)a / (float)b); }
__device__ __forceinline__ bfloat16 fma(bfloat16 a, bfloat16 b, bfloat16 c) {
    bfloat16 result;
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return result;
}
