# pass: tir.MergeSharedMemoryAllocations(merge_static_smem=True)
@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    B = T.allocate([16], "float32", "shared")
    C = T.allocate([16], "float32", "shared")
    B_1 = T.Buffer((16,), data=B, scope="shared")
    C_1 = T.Buffer((16,), data=C, scope="shared")
    tx = T.launch_thread("threadIdx.x", 16)
    B_1[tx] = A[bx * 16 + tx]
    C_1[tx] = B_1[tx]
    D[bx * 16 + tx] = C_1[15 - tx] + B_1[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    buf_shmem = T.allocate([128], "uint8", "shared")
    tx = T.launch_thread("threadIdx.x", 16)
    B_1 = T.Buffer((16,), data=buf_shmem, scope="shared")
    B_1[tx + 16] = A[bx * 16 + tx]
    C_1 = T.Buffer((16,), data=buf_shmem, scope="shared")
    C_1[tx] = B_1[tx + 16]
    D[bx * 16 + tx] = C_1[15 - tx] + B_1[tx + 16]
