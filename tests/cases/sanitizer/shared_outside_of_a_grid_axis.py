# finds nothing
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    data = T.allocate([16], "float32", "shared")
    by = T.launch_thread("blockIdx.y", 2)
    tx = T.launch_thread("threadIdx.x", 16)
    S = T.Buffer((16,), data=data, scope="shared")
    S[tx] = A[bx * 32 + by * 16 + tx]
    T.tvm_storage_sync("shared")
    B[bx * 32 + by * 16 + tx] = S[15 - tx]
