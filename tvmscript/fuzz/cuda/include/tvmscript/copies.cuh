// Asynchronous copies of a thread, which are done when it waits for their group.
#pragma once

struct Copy {
    void *target;
    const void *source;
    int present, size;
};
inline thread_local std::vector<std::vector<Copy>> copy_groups;

inline std::vector<std::vector<Copy>> &groups() {
    if (copy_groups.empty()) copy_groups.emplace_back();
    return copy_groups;
}
template <int size> void cp_async(void *target, const void *source) { groups().back().push_back({target, source, size, size}); }
template <int size> void cp_async(void *target, const void *source, bool flag) {
    groups().back().push_back({target, source, flag ? size : 0, size});
}
inline void cp_async_commit() { groups().emplace_back(); }
template <int pending> void cp_async_wait() {
    auto &all = groups();
    while ((int)all.size() - 1 > pending) {
        for (const Copy &copy : all.front()) {
            memcpy(copy.target, copy.source, copy.present);
            memset((char *)copy.target + copy.present, 0, copy.size - copy.present);
        }
        all.erase(all.begin());
    }
}
