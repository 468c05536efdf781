# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    B = T.allocate([16], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 16)
    C = T.allocate([16], "float32", "shared")
    E = T.allocate([16], "float32", "shared")
    L = T.allocate([2], "float32", "local")
    B_1 = T.Buffer((16,), data=B, scope="shared")
    C_1 = T.Buffer((16,), data=C, scope="shared")
    E_1 = T.Buffer((16,), data=E, scope="shared")
    L_1 = T.Buffer((2,), data=L, scope="local")
    L_1[0] = A[bx * 16 + tx]
    L_1[1] = L_1[0]
    B_1[tx] = L_1[1]
    C_1[tx] = B_1[15 - tx]
    E_1[tx] = C_1[15 - tx]
    D[bx * 16 + tx] = E_1[15 - tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), D: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    L_1 = T.allocate([2], "float32", "local")
    B_1 = T.allocate([16], "float32", "shared")
    C_1 = T.allocate([16], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 16)
    L_1_1 = T.Buffer((2,), data=L_1, scope="local")
    L_1_1[0] = A[bx * 16 + tx]
    L_1_1[1] = L_1_1[0]
    B_1_1 = T.Buffer((16,), data=B_1, scope="shared")
    B_1_1[tx] = L_1_1[1]
    C_1_1 = T.Buffer((16,), data=C_1, scope="shared")
    C_1_1[tx] = B_1_1[15 - tx]
    B_1_2 = T.Buffer((16,), data=B_1, scope="shared")
    B_1_2[tx] = C_1_1[15 - tx]
    D[bx * 16 + tx] = B_1_2[15 - tx]
