// Asynchronous copies, which are done at once.
#pragma once
template <int size> void cp_async(void *target, const void *source) { memcpy(target, source, size); }
template <int size> void cp_async(void *target, const void *source, bool flag) {
    if (flag) memcpy(target, source, size);
    else memset(target, 0, size);
}
inline void cp_async_commit() {}
template <int pending> void cp_async_wait() {}
