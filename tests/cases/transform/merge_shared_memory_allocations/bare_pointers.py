# pass: tir.MergeSharedMemoryAllocations
# values: not compared: the functions are those of others
# differs from TVM: it counts offsets of pointers in elements
# pointers that calls get: to the first array, and to those behind it
@T.prim_func
def main(A: T.Buffer((32,), "float32"), n: T.int32):
    bx = T.launch_thread("blockIdx.x", 1)
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.allocate([32], "float32", "shared.dyn")
    W = T.allocate([n], "float16", "shared.dyn")
    V = T.allocate([16], "int64", "shared.dyn")
    S1 = T.Buffer((32,), "float32", data=S, scope="shared.dyn")
    W1 = T.Buffer((n,), "float16", data=W, scope="shared.dyn")
    V1 = T.Buffer((16,), "int64", data=V, scope="shared.dyn")
    S1[tx] = A[tx]
    W1[tx] = T.Cast("float16", A[tx])
    V1[tx // 2] = T.Cast("int64", tx)
    T.evaluate(T.call_extern("int32", "fill", S, V, W))
    T.tvm_storage_sync("shared.dyn")
    A[tx] = S1[tx] + T.Cast("float32", W1[tx]) + T.Cast("float32", V1[tx // 2])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32,), "float32"), n: T.int32):
    bx = T.launch_thread("blockIdx.x", 1)
    buf_dyn_shmem = T.allocate([256 + T.max(0, n * 2 + (8 - n * 2 % 8) % 8)], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 32)
    S1 = T.Buffer((32,), data=buf_dyn_shmem, scope="shared.dyn")
    S1[tx] = A[tx]
    W1 = T.Buffer((n,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
    W1[tx + 128] = T.Cast("float16", A[tx])
    V1 = T.Buffer((16,), "int64", data=buf_dyn_shmem, scope="shared.dyn")
    V1[tx // 2 + 16] = T.Cast("int64", tx)
    T.call_extern("int32", "fill", buf_dyn_shmem, T.tvm_access_ptr(T.type_annotation("uint8"), buf_dyn_shmem, 128, 0, 3), T.tvm_access_ptr(T.type_annotation("uint8"), buf_dyn_shmem, 256, 0, 3))
    T.tvm_storage_sync("shared.dyn")
    A[tx] = S1[tx] + T.Cast("float32", W1[tx + 128]) + T.Cast("float32", V1[tx // 2 + 16])
