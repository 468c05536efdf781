# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((8,), "int32")):
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread(tx, 16):
        A[tx] = 1
    with T.attr(T.iter_var(tx, T.Range(0, 8), "ThreadIndex", "threadIdx.x"), "thread_extent", 8):
        B[tx] = 2
    with T.attr(T.iter_var(tx, T.Range(0, 16), "ThreadIndex", "threadIdx.y"), "thread_extent", 16):
        A[tx] = 3
    T.launch_thread(tx, 16)
    B[0] = A[tx]
