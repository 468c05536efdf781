// Conversions of floats to integers of other widths than 32 bits, and of numbers to float32 on the way to less.
#pragma once
#include "tvmscript/base.cuh"

// The nearest number of the type, 0 for nan.
template <typename T, typename S> __device__ __forceinline__ T saturate(S x) {
    if (x != x) return 0;
    if (sizeof(T) == 8) return (T)x;
    const bool is_signed = (T)-1 < (T)0;
    const int32_t least = is_signed ? -(1 << (sizeof(T) * 8 - 1)) : 0;
    const int32_t greatest = (1 << (sizeof(T) * 8 - is_signed)) - 1;
    return (T)min(max((int32_t)x, least), greatest);
}

// A number as float32, of which the last bit is set where there are others: what rounds it again rounds once.
__device__ __forceinline__ float end_with(float truncated, bool is_exact) {
    return is_exact ? truncated : reinterpret<float>(reinterpret<uint32_t>(truncated) | 1);
}
__device__ __forceinline__ float round_to_odd(float x) { return x; }
#define TVMSCRIPT_ROUND_TO_ODD(type, truncate)                                                                        \
    __device__ __forceinline__ float round_to_odd(type x) {                                                            \
        const float y = truncate(x);                                                                                   \
        return end_with(y, (type)y == x);                                                                              \
    }
TVMSCRIPT_ROUND_TO_ODD(double, __double2float_rz)
TVMSCRIPT_ROUND_TO_ODD(int32_t, __int2float_rz)
TVMSCRIPT_ROUND_TO_ODD(uint32_t, __uint2float_rz)
TVMSCRIPT_ROUND_TO_ODD(int64_t, __ll2float_rz)
TVMSCRIPT_ROUND_TO_ODD(uint64_t, __ull2float_rz)
#undef TVMSCRIPT_ROUND_TO_ODD
