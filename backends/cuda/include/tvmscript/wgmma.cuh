// Products of warp groups (sm_90a): descriptors of matrices in shared memory, and registers that stay where they are.
#pragma once
#include "tvmscript/base.cuh"

// Keeps the compiler from moving a register across a product that is still running.
__device__ __forceinline__ void wgmma_keep(float &x) { asm volatile("" : "+f"(x)::"memory"); }
__device__ __forceinline__ void wgmma_keep(int32_t &x) { asm volatile("" : "+r"(x)::"memory"); }
__device__ __forceinline__ void wgmma_keep(uint32_t &x) { asm volatile("" : "+r"(x)::"memory"); }

// Lets products of warp groups see what this thread has written to shared memory, and what it has copied there.
__device__ __forceinline__ void async_proxy_fence() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// Writes the descriptor of a matrix: offsets in units of 16 bytes; swizzles of 0, 32, 64, 128 bytes are 0, 1, 2, 3.
__device__ __forceinline__ void wgmma_descriptor(void *descriptor, const void *address, int32_t leading, int32_t stride, int32_t swizzle) {
    uint64_t bits = (uint64_t)(shared_address(address) >> 4 & 0x3fff);
    bits |= (uint64_t)(leading & 0x3fff) << 16;
    bits |= (uint64_t)(stride & 0x3fff) << 32;
    bits |= (uint64_t)(swizzle == 0 ? 0 : 4 - swizzle) << 62;
    *(uint64_t *)descriptor = bits;
}

// The address of a row and column of tensor memory (sm_100a).
__device__ __forceinline__ uint32_t tensor_memory_address(uint32_t address, int32_t row, int32_t column) {
    return address + ((uint32_t)row << 16) + (uint32_t)column;
}
