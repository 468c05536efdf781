# pass: tir.MergeSharedMemoryAllocations
# differs from TVM: it loses the memory of the second kernel
@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        B = T.allocate([16], "float32", "shared.dyn")
        C = T.allocate([16], "float32", "shared.dyn")
        B_1 = T.Buffer((16,), data=B, scope="shared.dyn")
        C_1 = T.Buffer((16,), data=C, scope="shared.dyn")
        with T.launch_thread("threadIdx.x", 16) as tx:
            B_1[tx] = A[bx * 16 + tx]
            C_1[tx] = B_1[15 - tx]
            D[bx * 16 + tx] = C_1[15 - tx]
    with T.launch_thread("blockIdx.x", 4) as bx2:
        B2 = T.allocate([8], "float32", "shared.dyn")
        C2 = T.allocate([16], "float16", "shared.dyn")
        B2_1 = T.Buffer((8,), data=B2, scope="shared.dyn")
        C2_1 = T.Buffer((16,), "float16", data=C2, scope="shared.dyn")
        with T.launch_thread("threadIdx.x", 8) as tx2:
            B2_1[tx2] = A[bx2 * 16 + tx2]
            C2_1[tx2] = T.Cast("float16", B2_1[7 - tx2])
            D[bx2 * 16 + tx2] = T.Cast("float32", C2_1[7 - tx2])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    with T.launch_thread("blockIdx.x", 4) as bx:
        buf_dyn_shmem = T.allocate([128], "uint8", "shared.dyn")
        tx = T.launch_thread("threadIdx.x", 16)
        B_1 = T.Buffer((16,), data=buf_dyn_shmem, scope="shared.dyn")
        B_1[tx] = A[bx * 16 + tx]
        C_1 = T.Buffer((16,), data=buf_dyn_shmem, scope="shared.dyn")
        C_1[tx + 16] = B_1[15 - tx]
        D[bx * 16 + tx] = C_1[15 - tx + 16]
    bx2 = T.launch_thread("blockIdx.x", 4)
    buf_dyn_shmem = T.allocate([64], "uint8", "shared.dyn")
    tx2 = T.launch_thread("threadIdx.x", 8)
    B2_1 = T.Buffer((8,), data=buf_dyn_shmem, scope="shared.dyn")
    B2_1[tx2] = A[bx2 * 16 + tx2]
    C2_1 = T.Buffer((16,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
    C2_1[tx2 + 16] = T.Cast("float16", B2_1[7 - tx2])
    D[bx2 * 16 + tx2] = T.Cast("float32", C2_1[7 - tx2 + 16])
