// Vectors: a load or store of one is a single instruction of up to 16 bytes.
#pragma once

constexpr int alignment_of(int bytes) {
    return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : bytes % 4 == 0 ? 4 : bytes % 2 == 0 ? 2 : 1;
}

template <typename T, int n> struct alignas(alignment_of(sizeof(T) * n)) Vec {
    T lanes[n];

    __device__ __forceinline__ T &operator[](int lane) { return lanes[lane]; }
    __device__ __forceinline__ const T &operator[](int lane) const { return lanes[lane]; }

    static __device__ __forceinline__ Vec filled(T value) {
        Vec vector;
#pragma unroll
        for (int lane = 0; lane < n; ++lane) vector.lanes[lane] = value;
        return vector;
    }
};
