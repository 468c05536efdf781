# finds nothing
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    data = T.allocate([1056], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.Buffer((32, 33), data=data, scope="shared")
    S[tx, 0] = A[tx]
    B[tx] = S[tx, 0]
