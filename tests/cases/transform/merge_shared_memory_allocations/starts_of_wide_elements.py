# pass: tir.MergeSharedMemoryAllocations
# `s01` makes room for `s03` behind the five bytes of `s02`, which is in use still
# differs from TVM: `s03` begins at a whole element of its own, not inside of `s02`
@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    s01_d = T.allocate([24], "float16", "shared.dyn")
    s01 = T.Buffer((24,), "float16", data=s01_d, scope="shared.dyn")
    s02_d = T.allocate([5], "int8", "shared.dyn")
    s02 = T.Buffer((5,), "int8", data=s02_d, scope="shared.dyn")
    s03_d = T.allocate([24], "float32x2", "shared.dyn")
    s03 = T.Buffer((24,), "float32x2", data=s03_d, scope="shared.dyn")
    tx = T.launch_thread("threadIdx.x", 4)
    s01[tx] = T.Cast("float16", A[bx * 4 + tx])
    T.tvm_storage_sync("shared.dyn")
    s02[tx] = T.Cast("int8", s01[3 - tx])
    T.tvm_storage_sync("shared.dyn")
    s03[tx] = T.Broadcast(T.Cast("float32", s02[3 - tx]), 2)
    T.tvm_storage_sync("shared.dyn")
    B[bx * 4 + tx] = T.Cast("float32", s02[3 - tx]) + T.Shuffle([s03[3 - tx]], [1])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    buf_dyn_shmem = T.allocate([200], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 4)
    s01 = T.Buffer((24,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
    s01[tx + 4] = T.Cast("float16", A[bx * 4 + tx])
    T.tvm_storage_sync("shared.dyn")
    s02 = T.Buffer((5,), "int8", data=buf_dyn_shmem, scope="shared.dyn")
    s02[tx] = T.Cast("int8", s01[3 - tx + 4])
    T.tvm_storage_sync("shared.dyn")
    s03 = T.Buffer((24,), "float32x2", data=buf_dyn_shmem, scope="shared.dyn")
    s03[tx + 1] = T.Broadcast(T.Cast("float32", s02[3 - tx]), 2)
    T.tvm_storage_sync("shared.dyn")
    B[bx * 4 + tx] = T.Cast("float32", s02[3 - tx]) + T.Shuffle([s03[3 - tx + 1]], [1])
