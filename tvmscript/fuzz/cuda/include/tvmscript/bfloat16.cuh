// bfloat16, rounded to nearest even.
#pragma once
#include "tvmscript/convert.cuh"

struct bfloat16 {
    uint16_t bits;

    bfloat16() = default;
    bfloat16(float x) {
        const uint32_t whole = reinterpret<uint32_t>(x);
        bits = x != x ? 0x7fff : (uint16_t)((whole + 0x7fff + (whole >> 16 & 1)) >> 16);
    }
    template <typename T> explicit bfloat16(T x) : bfloat16(round_to_odd(x)) {}
    operator float() const { return reinterpret<float>((uint32_t)bits << 16); }
};
