# finds: TS5040 B[tx] = S[63 - tx]
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    data = T.allocate([64], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 64)
    S = T.Buffer((64,), data=data, scope="shared")
    S[tx] = A[tx]
    T.tvm_storage_sync("warp")
    B[tx] = S[63 - tx]
