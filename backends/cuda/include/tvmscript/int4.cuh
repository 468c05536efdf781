// Integers of 4 bits, two in a byte; the first one is the lower half. Pointers to them count halves of bytes.
#pragma once
#include "tvmscript/base.cuh"

template <bool is_signed> struct Int4Pointer {
    uint8_t *bytes;

    struct Element {
        uint8_t *byte;
        int shift;

        __device__ __forceinline__ operator int32_t() const {
            int32_t bits = *byte >> shift & 15;
            return is_signed ? (bits ^ 8) - 8 : bits;
        }
        // The other half of the byte must belong to the same thread.
        __device__ __forceinline__ Element &operator=(int32_t value) {
            *byte = (uint8_t)((*byte & ~(15 << shift)) | (value & 15) << shift);
            return *this;
        }
        __device__ __forceinline__ Element &operator=(const Element &other) { return *this = (int32_t)other; }
    };

    __device__ __forceinline__ Element operator[](int64_t index) const {
        return {bytes + index / 2, (int)(index % 2) * 4};
    }
};
