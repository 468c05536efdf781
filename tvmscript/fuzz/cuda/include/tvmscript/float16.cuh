// IEEE half precision by conversions of the CPU.
#pragma once
#include "tvmscript/base.cuh"

struct float16 {
    uint16_t bits;

    float16() = default;
    float16(float x) : bits(_cvtss_sh(x, 0)) {}
    float16(double x) : float16((float)x) {}
    template <typename T> explicit float16(T x) : float16((float)x) {}
    operator float() const { return _cvtsh_ss(bits); }
};
inline float16 operator+(float16 a, float16 b) { return float16((float)a + (float)b); }
inline float16 operator-(float16 a, float16 b) { return float16((float)a - (float)b); }
inline float16 operator*(float16 a, float16 b) { return float16((float)a * (float)b); }
inline float16 operator/(float16 a, float16 b) { return float16((float)a / (float)b); }
inline float16 operator-(float16 a) { return float16(-(float)a); }
