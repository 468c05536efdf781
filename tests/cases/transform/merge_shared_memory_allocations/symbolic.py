# pass: tir.MergeSharedMemoryAllocations
@T.prim_func
def main(a: T.handle, d: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,))
    D = T.match_buffer(d, (n,))
    tx = T.launch_thread("threadIdx.x", n)
    B = T.allocate([n], "float32", "shared.dyn")
    C = T.allocate([n * 2], "float32", "shared.dyn")
    E = T.allocate([16], "float32", "shared.dyn")
    B_1 = T.Buffer((n,), data=B, scope="shared.dyn")
    C_1 = T.Buffer((n * 2,), data=C, scope="shared.dyn")
    E_1 = T.Buffer((16,), data=E, scope="shared.dyn")
    B_1[tx] = A[tx]
    for i in range(1):
        C_1[tx] = B_1[n - 1 - tx]
        E_1[tx] = C_1[n - 1 - tx]
    D[tx] = E_1[tx] + B_1[tx] + C_1[tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, d: T.handle, n: T.int32):
    A = T.match_buffer(a, (n,))
    D = T.match_buffer(d, (n,))
    tx = T.launch_thread("threadIdx.x", n)
    buf_dyn_shmem = T.allocate([64 + T.max(0, n * 4 + (4 - n * 4 % 4) % 4) + T.max(0, n * 2 * 4 + (4 - n * 2 * 4 % 4) % 4)], "uint8", "shared.dyn")
    B_1 = T.Buffer((n,), data=buf_dyn_shmem, scope="shared.dyn")
    B_1[tx + 16] = A[tx]
    C_1 = T.Buffer((n * 2,), data=buf_dyn_shmem, scope="shared.dyn")
    E_1 = T.Buffer((16,), data=buf_dyn_shmem, scope="shared.dyn")
    for i in range(1):
        C_1[tx + (64 + T.max(0, n * 4 + (4 - n * 4 % 4) % 4)) // 4] = B_1[n - 1 - tx + 16]
        E_1[tx] = C_1[n - 1 - tx + (64 + T.max(0, n * 4 + (4 - n * 4 % 4) % 4)) // 4]
    D[tx] = E_1[tx] + B_1[tx + 16] + C_1[tx + (64 + T.max(0, n * 4 + (4 - n * 4 % 4) % 4)) // 4]
