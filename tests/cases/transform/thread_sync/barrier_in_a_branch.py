# pass: tir.ThreadSync("shared")
# differs from TVM: it takes a barrier in a branch for one that is always reached
# values: not compared: without barriers, what is read depends on the order in which threads run
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    S = T.allocate([128], "float32", "shared")
    U = T.allocate([128], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1 = T.Buffer((128,), data=S, scope="shared")
    U1 = T.Buffer((128,), data=U, scope="shared")
    S1[tx] = A[tx]
    if bx == 0:
        U1[tx] = A[tx]
        B[tx] = U1[127 - tx]
    B[tx] = B[tx] + S1[127 - tx]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    S1 = T.allocate([128], "float32", "shared")
    U1 = T.allocate([128], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1_1 = T.Buffer((128,), data=S1, scope="shared")
    S1_1[tx] = A[tx]
    if bx == 0:
        U1_1 = T.Buffer((128,), data=U1, scope="shared")
        U1_1[tx] = A[tx]
        T.tvm_storage_sync("shared")
        B[tx] = U1_1[127 - tx]
    T.tvm_storage_sync("shared")
    B[tx] = B[tx] + S1_1[127 - tx]
