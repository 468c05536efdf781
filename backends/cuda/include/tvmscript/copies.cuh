// Asynchronous copies to shared memory (sm_80), by bulk and with barriers (sm_90).
#pragma once
#include "tvmscript/base.cuh"

template <int size> __device__ __forceinline__ void cp_async(void *target, const void *source) {
    if (size == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], %2;" ::"r"(shared_address(target)), "l"(source), "n"(size) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared_address(target)), "l"(source), "n"(size) : "memory");
    }
}

// Writes zeros where the flag is false.
template <int size> __device__ __forceinline__ void cp_async(void *target, const void *source, bool flag) {
    const int32_t present = flag ? size : 0;
    if (size == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(target)), "l"(source), "n"(size), "r"(present) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(target)), "l"(source), "n"(size), "r"(present) : "memory");
    }
}

__device__ __forceinline__ void cp_async_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

template <int pending> __device__ __forceinline__ void cp_async_wait() {
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

__device__ __forceinline__ void cp_async_arrive(uint64_t *barrier) {
    asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(shared_address(barrier)) : "memory");
}

__device__ __forceinline__ void cp_async_bulk(void *target, const void *source, int32_t size, uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(target)),
                 "l"(source), "r"(size), "r"(shared_address(barrier))
                 : "memory");
}
