// The description of a tensor in global memory, as the driver writes it and copies of tiles take it (CUtensorMap).
#pragma once
#include "tvmscript/base.cuh"

struct alignas(64) TensorMap {
    uint64_t words[16];
};
