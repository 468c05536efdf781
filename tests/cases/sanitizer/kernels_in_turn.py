# finds nothing
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    with T.launch_thread("threadIdx.x", 64) as tx:
        B[tx] = A[tx]
    with T.launch_thread("threadIdx.x", 64) as tx:
        A[tx] = B[63 - tx]
