// Threads of a block as threads of the CPU: indices, barriers, exchange within a warp.
#pragma once
#include <barrier>
#include <csignal>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>
#include <immintrin.h>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)
#define __restrict__

struct Index { uint32_t x, y, z; };
inline thread_local Index threadIdx, blockIdx;
inline Index blockDim, gridDim;
inline thread_local uint32_t own_lane, own_warp;
inline uint8_t *dynamic_shared_memory;

struct Warp {
    std::barrier<> meeting;
    uint64_t values[32];
    const void *rows[32];
    const void *registers[3][32];
    explicit Warp(int threads) : meeting(threads) {}
};
inline std::unique_ptr<std::barrier<>> block_barrier;
inline std::vector<std::unique_ptr<Warp>> warps;

inline Warp &warp() { return *warps[own_warp]; }
inline void __syncthreads() { block_barrier->arrive_and_wait(); }
inline void __syncwarp(uint32_t = ~0u) { warp().meeting.arrive_and_wait(); }
inline void __trap() { abort(); }
inline uint32_t __activemask() { return ~0u; }

template <typename Kernel> void run_blocks(const uint32_t *grid, const uint32_t *block, uint32_t bytes, Kernel kernel) {
    // a limit of time ends the process here: threads that wait for each other do not return to who asked for it
    const auto handler = signal(SIGALRM, SIG_DFL);
    const uint32_t count = block[0] * block[1] * block[2];
    std::vector<uint8_t> memory(bytes + 1024, 0xff);
    dynamic_shared_memory = (uint8_t *)(((uintptr_t)memory.data() + 1023) / 1024 * 1024);
    blockDim = {block[0], block[1], block[2]};
    gridDim = {grid[0], grid[1], grid[2]};
    for (uint32_t number = 0; number < grid[0] * grid[1] * grid[2]; ++number) {
        block_barrier = std::make_unique<std::barrier<>>(count);
        warps.clear();
        for (uint32_t first = 0; first < count; first += 32) warps.push_back(std::make_unique<Warp>(count - first < 32 ? count - first : 32));
        std::vector<std::thread> threads;
        for (uint32_t thread = 0; thread < count; ++thread) {
            threads.emplace_back([=] {
                threadIdx = {thread % block[0], thread / block[0] % block[1], thread / (block[0] * block[1])};
                blockIdx = {number % grid[0], number / grid[0] % grid[1], number / (grid[0] * grid[1])};
                own_lane = thread % 32;
                own_warp = thread / 32;
                kernel();
            });
        }
        for (std::thread &thread : threads) thread.join();
    }
    signal(SIGALRM, handler);
}

template <typename T> T exchange(T value, uint32_t source) {
    static_assert(sizeof(T) <= 8);
    Warp &own = warp();
    std::memcpy(&own.values[own_lane], &value, sizeof(T));
    own.meeting.arrive_and_wait();
    std::memcpy(&value, &own.values[source], sizeof(T));
    own.meeting.arrive_and_wait();
    return value;
}
template <typename T> T __shfl_sync(uint32_t, T value, int lane, int width = 32) {
    return exchange(value, own_lane / width * width + lane % width);
}
template <typename T> T __shfl_down_sync(uint32_t, T value, uint32_t distance, int width = 32) {
    return exchange(value, own_lane % width + distance < width ? own_lane + distance : own_lane);
}
template <typename T> T __shfl_up_sync(uint32_t, T value, uint32_t distance, int width = 32) {
    return exchange(value, own_lane % width >= distance ? own_lane - distance : own_lane);
}
template <typename T> T __shfl_xor_sync(uint32_t, T value, int mask, int width = 32) { return exchange(value, own_lane ^ mask); }

// names of CUDA's functions
using std::isfinite;
using std::isinf;
using std::isnan;
template <typename T, typename S> auto max(T a, S b) { return a > b ? a : b; }
template <typename T, typename S> auto min(T a, S b) { return a < b ? a : b; }
// the C library declares some of these, and defines none
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __powf powf
#define __log2f log2f
#define __log10f log10f
#define __exp10f exp10f
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float rsqrtf(float x) { return 1 / sqrtf(x); }
// A device gives the nearest number where a float does not fit, and 0 for nan.
template <typename T, typename S> T converted(S x) {
    if constexpr (std::is_class_v<S>) return converted<T>((float)x);
    else if constexpr (std::is_floating_point_v<S>) {
        const double least = (double)std::numeric_limits<T>::min(), most = (double)std::numeric_limits<T>::max();
        return x != x ? 0 : x <= least ? std::numeric_limits<T>::min() : x >= most ? std::numeric_limits<T>::max() : (T)x;
    } else return (T)x;
}
inline int32_t __float2int_rz(float x) { return converted<int32_t>(x); }
template <typename T> float truncated(T x) {
    const float y = (float)x;
    return fabsl(y) > fabsl(x) ? nextafterf(y, 0) : y;
}
inline float __double2float_rz(double x) { return truncated(x); }
inline float __int2float_rz(int32_t x) { return truncated(x); }
inline float __uint2float_rz(uint32_t x) { return truncated(x); }
inline float __ll2float_rz(int64_t x) { return truncated(x); }
inline float __ull2float_rz(uint64_t x) { return truncated(x); }
inline int __popc(uint32_t x) { return __builtin_popcount(x); }
inline int __popcll(uint64_t x) { return __builtin_popcountll(x); }
inline int __clz(uint32_t x) { return x ? __builtin_clz(x) : 32; }
inline int __clzll(uint64_t x) { return x ? __builtin_clzll(x) : 64; }
inline float __int_as_float(int32_t x) { float y; memcpy(&y, &x, 4); return y; }
inline uint32_t atomicAnd(uint32_t *cell, uint32_t value) { return __atomic_fetch_and(cell, value, __ATOMIC_SEQ_CST); }
inline uint32_t atomicOr(uint32_t *cell, uint32_t value) { return __atomic_fetch_or(cell, value, __ATOMIC_SEQ_CST); }
