// IEEE half precision.
#pragma once
#include "tvmscript/base.cuh"

struct float16 {
    uint16_t bits;

    float16() = default;
    __device__ __forceinline__ float16(float x) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x)); }
    __device__ __forceinline__ float16(double x) { asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x)); }
    template <typename T> __device__ __forceinline__ explicit float16(T x) : float16((float)x) {}

    __device__ __forceinline__ operator float() const {
        float x;
        asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
        return x;
    }
};

// Without a rounding mode: a product and a sum may become one instruction.
#define TVMSCRIPT_FLOAT16_OPERATOR(symbol, instruction)                                                              \
    __device__ __forceinline__ float16 operator symbol(float16 a, float16 b) {                                        \
        float16 result;                                                                                                \
        asm(instruction ".f16 %0, %1, %2;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits));                            \
        return result;                                                                                                 \
    }
TVMSCRIPT_FLOAT16_OPERATOR(+, "add")
TVMSCRIPT_FLOAT16_OPERATOR(-, "sub")
TVMSCRIPT_FLOAT16_OPERATOR(*, "mul")
#undef TVMSCRIPT_FLOAT16_OPERATOR

__device__ __forceinline__ float16 operator/(float16 a, float16 b) { return float16((float)a / (float)b); }

__device__ __forceinline__ float16 operator-(float16 a) {
    a.bits ^= 0x8000;
    return a;
}

__device__ __forceinline__ float16 fma(float16 a, float16 b, float16 c) {
    float16 result;
    asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(result.bits) : "h"(a.bits), "h"(b.bits), "h"(c.bits));
    return result;
}
