# pass: tir.MergeSharedMemoryAllocations
# differs from TVM: it leaves the data without a dtype, so that the offset counts bytes
# the offset counts elements, also where the buffer comes first
@T.prim_func
def main(A: T.Buffer((512,), "float16"), B: T.Buffer((64,), "float16")):
    bx = T.launch_thread("blockIdx.x", 1)
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.allocate([512], "float16", "shared.dyn")
    W = T.allocate([512], "float16", "shared.dyn")
    W1 = T.Buffer((512,), "float16", data=W, scope="shared.dyn")
    S1 = T.Buffer((512,), "float16", data=S, scope="shared.dyn")
    R = T.allocate([4], "float16", "local")
    R1 = T.Buffer((4,), "float16", data=R, scope="local")
    for i in range(16):
        S1[i * 32 + tx] = A[i * 32 + tx]
        W1[i * 32 + tx] = A[i * 32 + tx]
    T.tvm_storage_sync("shared.dyn")
    T.ptx_ldmatrix("float16", False, 1, ".b16", R, 0, S, tx % 8 * 64)
    T.ptx_ldmatrix("float16", False, 1, ".b16", R, 2, W, tx % 8 * 64)
    for i in range(2):
        B[tx * 2 + i] = R1[i] + R1[i + 2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((512,), "float16"), B: T.Buffer((64,), "float16")):
    bx = T.launch_thread("blockIdx.x", 1)
    buf_dyn_shmem = T.allocate([2048], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 32)
    R1 = T.allocate([4], "float16", "local")
    for i in range(16):
        S1 = T.Buffer((512,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
        S1[i * 32 + tx] = A[i * 32 + tx]
        W1 = T.Buffer((512,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
        W1[i * 32 + tx + 512] = A[i * 32 + tx]
    T.tvm_storage_sync("shared.dyn")
    T.ptx_ldmatrix("float16", T.bool(False), 1, ".b16", R1, 0, T.tvm_access_ptr(T.type_annotation("uint8"), buf_dyn_shmem, 0, 0, 1), tx % 8 * 64)
    T.ptx_ldmatrix("float16", T.bool(False), 1, ".b16", R1, 2, T.tvm_access_ptr(T.type_annotation("uint8"), buf_dyn_shmem, 1024, 0, 1), tx % 8 * 64)
    for i in range(2):
        R1_1 = T.Buffer((4,), "float16", data=R1, scope="local")
        B[tx * 2 + i] = R1_1[i] + R1_1[i + 2]
