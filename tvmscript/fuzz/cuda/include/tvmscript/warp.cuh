// Reductions within a warp; exchange takes values of any type.
#pragma once
#include "tvmscript/float16.cuh"

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
