// Exchange within a warp, of values that CUDA's functions do not take, and reductions.
#pragma once
#include "tvmscript/bfloat16.cuh"
#include "tvmscript/float16.cuh"

#define TVMSCRIPT_SHUFFLE(name, type, Lane)                                                                           \
    __device__ __forceinline__ type name(uint32_t mask, type value, Lane lane, int32_t width = 32) {                   \
        value.bits = (uint16_t)name(mask, (uint32_t)value.bits, lane, width);                                          \
        return value;                                                                                                  \
    }
TVMSCRIPT_SHUFFLE(__shfl_sync, float16, int32_t)
TVMSCRIPT_SHUFFLE(__shfl_up_sync, float16, uint32_t)
TVMSCRIPT_SHUFFLE(__shfl_down_sync, float16, uint32_t)
TVMSCRIPT_SHUFFLE(__shfl_xor_sync, float16, int32_t)
TVMSCRIPT_SHUFFLE(__shfl_sync, bfloat16, int32_t)
TVMSCRIPT_SHUFFLE(__shfl_up_sync, bfloat16, uint32_t)
TVMSCRIPT_SHUFFLE(__shfl_down_sync, bfloat16, uint32_t)
TVMSCRIPT_SHUFFLE(__shfl_xor_sync, bfloat16, int32_t)
#undef TVMSCRIPT_SHUFFLE

struct Sum {
    template <typename T> static __device__ __forceinline__ T apply(T a, T b) { return a + b; }
};
struct Max {
    template <typename T> static __device__ __forceinline__ T apply(T a, T b) { return a > b ? a : b; }
};
struct Min {
    template <typename T> static __device__ __forceinline__ T apply(T a, T b) { return a < b ? a : b; }
};

// The reduction over groups of `width` threads, in all of them.
template <typename Reducer, int width, typename T> __device__ __forceinline__ T warp_reduce(T value) {
#pragma unroll
    for (int distance = width / 2; distance > 0; distance /= 2) {
        value = Reducer::apply(value, __shfl_xor_sync(0xffffffffu, value, distance, 32));
    }
    return value;
}
