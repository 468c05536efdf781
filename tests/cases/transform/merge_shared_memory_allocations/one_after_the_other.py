# pass: tir.MergeSharedMemoryAllocations
# values: not compared: threads read what others wrote, with no barrier between
@T.prim_func
def main(A: T.Buffer((1024,), "float32"), D: T.Buffer((1024,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    tx = T.launch_thread("threadIdx.x", 16)
    L = T.allocate([1], "float32", "local")
    B = T.allocate([128], "float32", "shared.dyn")
    C = T.allocate([64], "float32", "shared.dyn")
    E = T.allocate([32], "float32", "shared.dyn")
    F = T.allocate([256], "float32", "shared.dyn")
    G = T.allocate([8], "float32", "shared.dyn")
    L_1 = T.Buffer((1,), data=L, scope="local")
    B_1 = T.Buffer((128,), data=B, scope="shared.dyn")
    C_1 = T.Buffer((64,), data=C, scope="shared.dyn")
    E_1 = T.Buffer((32,), data=E, scope="shared.dyn")
    F_1 = T.Buffer((256,), data=F, scope="shared.dyn")
    G_1 = T.Buffer((8,), data=G, scope="shared.dyn")
    for i in range(8):
        B_1[i * 16 + tx] = A[i * 16 + tx]
    for i in range(4):
        C_1[i * 16 + tx] = B_1[i * 16 + tx]
    for i in range(2):
        for j in range(2):
            E_1[i * 16 + tx] = C_1[i * 16 + tx]
    for i in range(16):
        F_1[i * 16 + tx] = E_1[tx]
    if tx < 8:
        G_1[tx] = F_1[tx]
    L_1[0] = G_1[0]
    D[bx * 16 + tx] = L_1[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((1024,), "float32"), D: T.Buffer((1024,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    buf_dyn_shmem = T.allocate([1536], "uint8", "shared.dyn")
    tx = T.launch_thread("threadIdx.x", 16)
    L_1 = T.allocate([1], "float32", "local")
    B_1 = T.Buffer((128,), data=buf_dyn_shmem, scope="shared.dyn")
    for i in range(8):
        B_1[i * 16 + tx] = A[i * 16 + tx]
    C_1 = T.Buffer((64,), data=buf_dyn_shmem, scope="shared.dyn")
    for i in range(4):
        C_1[i * 16 + tx + 128] = B_1[i * 16 + tx]
    E_1 = T.Buffer((32,), data=buf_dyn_shmem, scope="shared.dyn")
    for i, j in T.grid(2, 2):
        E_1[i * 16 + tx] = C_1[i * 16 + tx + 128]
    F_1 = T.Buffer((256,), data=buf_dyn_shmem, scope="shared.dyn")
    for i in range(16):
        F_1[i * 16 + tx + 128] = E_1[tx]
    G_1 = T.Buffer((8,), data=buf_dyn_shmem, scope="shared.dyn")
    if tx < 8:
        G_1[tx] = F_1[tx + 128]
    L_1_1 = T.Buffer((1,), data=L_1, scope="local")
    L_1_1[0] = G_1[0]
    D[bx * 16 + tx] = L_1_1[0]
