// Conversions of floats to integers of other widths than 32 bits.
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
