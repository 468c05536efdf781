// 8-bit floats of sm_89 and later. What does not fit is nan (e4m3) or infinite (e5m2), as in the other backends.
#pragma once
#include "tvmscript/convert.cuh"
#include "tvmscript/float16.cuh"

#define TVMSCRIPT_FLOAT8(name, format, fits, beyond)                                                                  \
    struct name {                                                                                                      \
        uint8_t bits;                                                                                                  \
                                                                                                                       \
        name() = default;                                                                                              \
        __device__ __forceinline__ name(float x) {                                                                     \
            uint16_t pair;                                                                                             \
            asm("cvt.rn.satfinite." format "x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(0.0f), "f"(x));                     \
            bits = fits || x != x ? (uint8_t)pair : (uint8_t)(beyond | (__float_as_uint(x) >> 31 << 7));               \
        }                                                                                                              \
        template <typename T> __device__ __forceinline__ explicit name(T x) : name(round_to_odd(x)) {}                  \
                                                                                                                       \
        __device__ __forceinline__ operator float() const {                                                            \
            uint32_t pair;                                                                                             \
            asm("cvt.rn.f16x2." format "x2 %0, %1;" : "=r"(pair) : "h"((uint16_t)bits));                               \
            float16 half;                                                                                              \
            half.bits = (uint16_t)pair;                                                                                \
            return half;                                                                                               \
        }                                                                                                              \
    };                                                                                                                 \
    __device__ __forceinline__ name operator+(name a, name b) { return name((float)a + (float)b); }                    \
    __device__ __forceinline__ name operator-(name a, name b) { return name((float)a - (float)b); }                    \
    __device__ __forceinline__ name operator*(name a, name b) { return name((float)a * (float)b); }                    \
    __device__ __forceinline__ name operator/(name a, name b) { return name((float)a / (float)b); }
TVMSCRIPT_FLOAT8(e4m3_float8, "e4m3", fabsf(x) <= 464.0f, 0x7f)
TVMSCRIPT_FLOAT8(e5m2_float8, "e5m2", fabsf(x) < 61440.0f, 0x7c)
#undef TVMSCRIPT_FLOAT8
