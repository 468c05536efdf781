# pass: tir.MergeSharedMemoryAllocations
@T.prim_func
def main(A: T.Buffer((1024,), "float32"), D: T.Buffer((1024,), "float32")):
    tx = T.launch_thread("threadIdx.x", 16)
    B = T.allocate([24], "float16", "shared.dyn")
    C = T.allocate([17], "int8", "shared.dyn")
    E = T.allocate([256], "float32", "shared.dyn")
    F = T.allocate([20], "float64", "shared.dyn")
    G = T.allocate([1], "int8", "shared.dyn")
    B_1 = T.Buffer((24,), "float16", data=B, scope="shared.dyn")
    C_1 = T.Buffer((17,), "int8", data=C, scope="shared.dyn")
    E_1 = T.Buffer((256,), data=E, scope="shared.dyn")
    F_1 = T.Buffer((20,), "float64", data=F, scope="shared.dyn")
    for i in range(1):
        C_1[tx] = T.int8(1)
        B_1[tx] = T.Cast("float16", A[tx])
        D[tx] = T.Cast("float32", B_1[15 - tx]) + T.Cast("float32", C_1[tx])
    for i in range(2):
        E_1[tx] = A[tx]
        D[tx] = E_1[tx]
    for i in range(2):
        F_1[tx] = T.Cast("float64", A[tx])
        D[tx] = T.Cast("float32", F_1[tx])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1024,), "float32"), D: T.Buffer((1024,), "float32")):
    tx = T.launch_thread("threadIdx.x", 16)
    buf_dyn_shmem = T.allocate([1024], "uint8", "shared.dyn")
    for i in range(1):
        C_1 = T.Buffer((17,), "int8", data=buf_dyn_shmem, scope="shared.dyn")
        C_1[tx + 48] = T.int8(1)
        B_1 = T.Buffer((24,), "float16", data=buf_dyn_shmem, scope="shared.dyn")
        B_1[tx] = T.Cast("float16", A[tx])
        D[tx] = T.Cast("float32", B_1[15 - tx]) + T.Cast("float32", C_1[tx + 48])
    for i in range(2):
        E_1 = T.Buffer((256,), data=buf_dyn_shmem, scope="shared.dyn")
        E_1[tx] = A[tx]
        D[tx] = E_1[tx]
    for i in range(2):
        F_1 = T.Buffer((20,), "float64", data=buf_dyn_shmem, scope="shared.dyn")
        F_1[tx] = T.Cast("float64", A[tx])
        D[tx] = T.Cast("float32", F_1[tx])
