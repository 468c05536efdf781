# finds: TS5041 T.tvm_storage_sync("shared")
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    data = T.allocate([32], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.Buffer((32,), data=data, scope="shared")
    S[tx] = A[bx * 32 + tx]
    if tx < 16:
        T.tvm_storage_sync("shared")
        B[bx * 32 + tx] = S[tx]
    else:
        T.tvm_storage_sync("shared")
        B[bx * 32 + tx] = S[tx]
