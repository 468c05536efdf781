# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    with T.launch_thread("blockIdx.x", 16) as bx:
        A[bx] = T.float32(1)
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread(tx, 16):
        A[tx] = T.float32(1)
    with T.launch_thread(tx, 16):
        A[tx] = T.float32(2)
    by = T.launch_thread("blockIdx.y", 4)
    ty = T.launch_thread("threadIdx.y", 4)
    A[by * 4 + ty] = T.float32(1)
