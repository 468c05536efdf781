# finds: TS5045 B[tx * 2] = A[tx]
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    tx = T.launch_thread("threadIdx.x", 32)
    B[tx * 2] = A[tx]
