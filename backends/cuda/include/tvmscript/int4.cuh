// Integers of 4 bits, two in a byte; the first one is the lower half. Pointers to them count halves of bytes.
#pragma once
#include "tvmscript/base.cuh"

// The value of the lowest 4 bits.
template <bool is_signed> static __device__ __forceinline__ int32_t nibble(int32_t value) {
    int32_t bits = value & 15;
    return is_signed ? (bits ^ 8) - 8 : bits;
}

template <bool is_signed> struct Int4Pointer {
    uint8_t *bytes;

    struct Element {
        uint8_t *byte;
        int shift;

        __device__ __forceinline__ operator int32_t() const {
            return nibble<is_signed>(*byte >> shift);
        }
        // Another thread may write the other half of the byte.
        __device__ __forceinline__ Element &operator=(int32_t value) {
            uintptr_t place = (uintptr_t)byte;
            unsigned int *word = (unsigned int *)(place & ~(uintptr_t)3);
            int first = (int)(place & 3) * 8 + shift;
            atomicAnd(word, ~(15u << first));
            atomicOr(word, (unsigned int)(value & 15) << first);
            return *this;
        }
        __device__ __forceinline__ Element &operator=(const Element &other) { return *this = (int32_t)other; }
    };

    __device__ __forceinline__ Element operator[](int64_t index) const {
        return {bytes + index / 2, (int)(index % 2) * 4};
    }
};
