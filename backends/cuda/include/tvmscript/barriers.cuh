// Barriers in shared memory (mbarrier), of named groups of threads, of clusters and of the grid.
#pragma once
#include "tvmscript/base.cuh"

__device__ __forceinline__ void mbarrier_init(uint64_t *barrier, int32_t threads) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(threads) : "memory");
}

__device__ __forceinline__ void mbarrier_arrive(uint64_t *barrier) {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(shared_address(barrier)) : "memory");
}

__device__ __forceinline__ void mbarrier_arrive_expect(uint64_t *barrier, int32_t bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}

__device__ __forceinline__ void mbarrier_wait(void *barrier, uint32_t phase) {
#if __CUDA_ARCH__ >= 900
#define TVMSCRIPT_MBARRIER_WAIT "try_wait"  // the thread sleeps
#else
#define TVMSCRIPT_MBARRIER_WAIT "test_wait"
#endif
    uint32_t is_done = 0;
    while (!is_done) {
        asm volatile("{ .reg .pred p; mbarrier." TVMSCRIPT_MBARRIER_WAIT ".parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(is_done)
                     : "r"(shared_address(barrier)), "r"(phase)
                     : "memory");
    }
}

__device__ __forceinline__ void mbarrier_wait_cluster(void *barrier, uint32_t phase) {
    uint32_t is_done = 0;
    while (!is_done) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(is_done)
                     : "r"(shared_address(barrier)), "r"(phase)
                     : "memory");
    }
}

__device__ __forceinline__ void named_barrier(int32_t name, int32_t threads) {
    asm volatile("bar.sync %0, %1;" ::"r"(name), "r"(threads) : "memory");
}

__device__ __forceinline__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
}

#define TVMSCRIPT_CLUSTER_RANK(name, axis)                                                                            \
    __device__ __forceinline__ int32_t name() {                                                                        \
        int32_t rank;                                                                                                  \
        asm("mov.u32 %0, %%cluster_ctaid." axis ";" : "=r"(rank));                                                     \
        return rank;                                                                                                   \
    }
TVMSCRIPT_CLUSTER_RANK(cluster_rank_x, "x")
TVMSCRIPT_CLUSTER_RANK(cluster_rank_y, "y")
TVMSCRIPT_CLUSTER_RANK(cluster_rank_z, "z")
#undef TVMSCRIPT_CLUSTER_RANK

// One thread of the warp.
__device__ __forceinline__ uint32_t elect_one() {
    uint32_t is_elected;
    asm volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; selp.u32 %0, 1, 0, p; }" : "=r"(is_elected));
    return is_elected;
}

__device__ __forceinline__ int32_t thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

__device__ __forceinline__ void trap_unless(bool condition) {
    if (!condition) __trap();
}

// Waits for all blocks; the launch has to be cooperative. The counter is zero when the kernel starts and ends.
__device__ uint32_t tvmscript_grid_arrived, tvmscript_grid_generation;
__device__ __forceinline__ void grid_sync() {
    __syncthreads();
    if (thread_rank() == 0) {
        const uint32_t blocks = gridDim.x * gridDim.y * gridDim.z;
        volatile uint32_t *generation = &tvmscript_grid_generation;
        const uint32_t before = *generation;
        __threadfence();
        if (atomicAdd(&tvmscript_grid_arrived, 1u) == blocks - 1) {
            tvmscript_grid_arrived = 0;
            __threadfence();
            *generation = before + 1;
        } else {
            while (*generation == before) {
            }
        }
        __threadfence();
    }
    __syncthreads();
}
