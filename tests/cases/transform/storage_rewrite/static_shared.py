# pass: tir.StorageRewrite(merge_static_smem=True)
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    tx = T.launch_thread("threadIdx.x", 16)
    B = T.allocate([16], "float32", "shared")
    C = T.allocate([16], "float32", "shared")
    E = T.allocate([16], "float32", "shared")
    B_1 = T.Buffer((16,), data=B, scope="shared")
    C_1 = T.Buffer((16,), data=C, scope="shared")
    E_1 = T.Buffer((16,), data=E, scope="shared")
    B_1[tx] = A[tx]
    C_1[tx] = B_1[15 - tx]
    E_1[tx] = C_1[15 - tx]
    D[tx] = E_1[15 - tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    tx = T.launch_thread("threadIdx.x", 16)
    B_1 = T.allocate([16], "float32", "shared")
    C_1 = T.allocate([16], "float32", "shared")
    E_1 = T.allocate([16], "float32", "shared")
    B_1_1 = T.Buffer((16,), data=B_1, scope="shared")
    B_1_1[tx] = A[tx]
    C_1_1 = T.Buffer((16,), data=C_1, scope="shared")
    C_1_1[tx] = B_1_1[15 - tx]
    E_1_1 = T.Buffer((16,), data=E_1, scope="shared")
    E_1_1[tx] = C_1_1[15 - tx]
    D[tx] = E_1_1[15 - tx]
