// The bits of a value as those of another type.
#pragma once
template <typename T, typename S> T reinterpret(S given) {
    static_assert(sizeof(T) == sizeof(S), "values of equal size");
    T result;
    memcpy(&result, &given, sizeof(T));
    return result;
}
