// Names of C's headers, which NVRTC has none of.
#pragma once
#ifdef __CUDACC_RTC__
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long long uintptr_t;
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295u
#define UINT64_MAX 18446744073709551615ULL
#define INT64_C(x) x##LL
#define UINT64_C(x) x##ULL
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
#else
#include <cmath>
#include <cstdint>
#endif

// The address of shared memory in its own space, as instructions take it.
__device__ __forceinline__ uint32_t shared_address(const void *pointer) {
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

// The bits of a value as those of another type.
template <typename T, typename S> __device__ __forceinline__ T reinterpret(S given) {
    static_assert(sizeof(T) == sizeof(S), "values of equal size");
    union Bits {
        S given;
        T result;
        __device__ Bits() {}
    } bits;
    bits.given = given;
    return bits.result;
}
