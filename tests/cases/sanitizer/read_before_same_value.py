# finds: TS5040 B[tx] = S[0]
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((2,), "float32"), B: T.Buffer((2,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    data = T.allocate([1], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 2)
    S = T.Buffer((1,), data=data, scope="shared")
    S[0] = A[0]
    T.tvm_storage_sync("shared")
    B[tx] = S[0]
    if tx == 1:
        S[0] = A[0]
        S[0] = A[1] + T.float32(2)
