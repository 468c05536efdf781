# pass: tir.MergeSharedMemoryAllocations
# `s04` takes the room of `s01`, and of `s02`, which is larger than `s00` was there before it
# differs from TVM: `s01` begins behind `s02`, which is written while it is read, not where `s00` ends
@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), n: T.int32):
    bx = T.launch_thread("blockIdx.x", 2)
    tx = T.launch_thread("threadIdx.x", 4)
    s00_d = T.allocate([4], "float16", "shared.dyn")
    s00 = T.Buffer((4,), "float16", data=s00_d, scope="shared.dyn")
    s01_d = T.allocate([5], "float16", "shared.dyn")
    s01 = T.Buffer((5,), "float16", data=s01_d, scope="shared.dyn")
    s02_d = T.allocate([7], "float32", "shared.dyn")
    s02 = T.Buffer((7,), "float32", data=s02_d, scope="shared.dyn")
    s03_d = T.allocate([n + 4], "float32", "shared.dyn")
    s03 = T.Buffer((n + 4,), "float32", data=s03_d, scope="shared.dyn")
    s04_d = T.allocate([8], "float64", "shared.dyn")
    s04 = T.Buffer((8,), "float64", data=s04_d, scope="shared.dyn")
    s00[tx] = T.Cast("float16", A[bx * 4 + tx])
    T.tvm_storage_sync("shared.dyn")
    s01[tx] = s00[3 - tx]
    T.tvm_storage_sync("shared.dyn")
    s02[tx] = T.Cast("float32", s01[3 - tx])
    T.tvm_storage_sync("shared.dyn")
    s03[tx] = s02[3 - tx]
    T.tvm_storage_sync("shared.dyn")
    s04[tx] = T.Cast("float64", s03[3 - tx])
    T.tvm_storage_sync("shared.dyn")
    B[bx * 4 + tx] = T.Cast("float32", s04[3 - tx]) + s03[3 - tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"), n: T.int32):
    bx = T.launch_thread("blockIdx.x", 2)
    buf_dyn_shmem = T.allocate([64 + T.max(0, (n + 4) * 4 + (4 - (n + 4) * 4 % 4) % 4)], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 4)
    s00 = T.Buffer((4,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
    s00[tx] = T.Cast("float16", A[bx * 4 + tx])
    T.tvm_storage_sync("shared.dyn")
    s01 = T.Buffer((5,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
    s01[tx + 14] = s00[3 - tx]
    T.tvm_storage_sync("shared.dyn")
    s02 = T.Buffer((7,), data=buf_dyn_shmem, scope="shared.dyn")
    s02[tx] = T.Cast("float32", s01[3 - tx + 14])
    T.tvm_storage_sync("shared.dyn")
    s03 = T.Buffer((n + 4,), data=buf_dyn_shmem, scope="shared.dyn")
    s03[tx + 16] = s02[3 - tx]
    T.tvm_storage_sync("shared.dyn")
    s04 = T.Buffer((8,), "float64", data=buf_dyn_shmem, scope="shared.dyn")
    s04[tx] = T.Cast("float64", s03[3 - tx + 16])
    T.tvm_storage_sync("shared.dyn")
    B[bx * 4 + tx] = T.Cast("float32", s04[3 - tx]) + s03[3 - tx + 16]
