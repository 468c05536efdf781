# pass: tir.MergeSharedMemoryAllocations
# differs from TVM: threads read what others have written in the place of it
@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    B = T.allocate([16], "float32", "shared.dyn")
    C = T.allocate([16], "float32", "shared.dyn")
    B_1 = T.Buffer((16,), data=B, scope="shared.dyn")
    C_1 = T.Buffer((16,), data=C, scope="shared.dyn")
    tx = T.launch_thread("threadIdx.x", 16)
    B_1[tx] = A[bx * 16 + tx]
    T.tvm_storage_sync("shared.dyn")
    C_1[tx] = B_1[15 - tx]
    T.tvm_storage_sync("shared.dyn")
    D[bx * 16 + tx] = C_1[15 - tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    buf_dyn_shmem = T.allocate([128], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 16)
    B_1 = T.Buffer((16,), data=buf_dyn_shmem, scope="shared.dyn")
    B_1[tx] = A[bx * 16 + tx]
    T.tvm_storage_sync("shared.dyn")
    C_1 = T.Buffer((16,), data=buf_dyn_shmem, scope="shared.dyn")
    C_1[tx + 16] = B_1[15 - tx]
    T.tvm_storage_sync("shared.dyn")
    D[bx * 16 + tx] = C_1[15 - tx + 16]
