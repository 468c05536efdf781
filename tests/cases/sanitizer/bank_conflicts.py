# finds: TS5044 S[tx, 0] = A[tx]
# finds: TS5044 B[tx] = S[tx, 0]
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    data = T.allocate([1024], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 32)
    S = T.Buffer((32, 32), data=data, scope="shared")
    S[tx, 0] = A[tx]
    B[tx] = S[tx, 0]
