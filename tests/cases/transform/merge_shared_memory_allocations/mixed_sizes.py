# pass: tir.MergeSharedMemoryAllocations
# differs from TVM: elements of float64 lie over elements of float32 that other threads still read
@T.prim_func
def main(A: T.Buffer((1024,), "float32"), D: T.Buffer((1024,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 16)
    B = T.allocate([128], "float32", "shared.dyn")
    C = T.allocate([64], "float32", "shared.dyn")
    E = T.allocate([256], "float16", "shared.dyn")
    F = T.allocate([200], "float32", "shared.dyn")
    G = T.allocate([20], "float64", "shared.dyn")
    B_1 = T.Buffer((128,), data=B, scope="shared.dyn")
    C_1 = T.Buffer((64,), data=C, scope="shared.dyn")
    E_1 = T.Buffer((256,), "float16", data=E, scope="shared.dyn")
    F_1 = T.Buffer((200,), data=F, scope="shared.dyn")
    G_1 = T.Buffer((20,), "float64", data=G, scope="shared.dyn")
    B_1[tx] = A[tx]
    C_1[tx] = B_1[tx]
    D[tx] = C_1[tx]
    E_1[tx] = T.Cast("float16", A[tx])
    D[tx] = D[tx] + T.Cast("float32", E_1[tx])
    F_1[tx] = A[tx]
    G_1[tx] = T.Cast("float64", F_1[tx])
    D[tx] = D[tx] + T.Cast("float32", G_1[tx])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1024,), "float32"), D: T.Buffer((1024,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    buf_dyn_shmem = T.allocate([960], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 16)
    B_1 = T.Buffer((128,), data=buf_dyn_shmem, scope="shared.dyn")
    B_1[tx + 40] = A[tx]
    C_1 = T.Buffer((64,), data=buf_dyn_shmem, scope="shared.dyn")
    C_1[tx + 40] = B_1[tx + 40]
    D[tx] = C_1[tx + 40]
    E_1 = T.Buffer((256,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
    E_1[tx + 80] = T.Cast("float16", A[tx])
    D[tx] = D[tx] + T.Cast("float32", E_1[tx + 80])
    F_1 = T.Buffer((200,), data=buf_dyn_shmem, scope="shared.dyn")
    F_1[tx + 40] = A[tx]
    G_1 = T.Buffer((20,), "float64", data=buf_dyn_shmem, scope="shared.dyn")
    G_1[tx] = T.Cast("float64", F_1[tx + 40])
    D[tx] = D[tx] + T.Cast("float32", G_1[tx])
