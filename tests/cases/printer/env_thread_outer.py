# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread(tx, 16):
        A[tx] = T.float32(1)
    T.launch_thread(tx, 16)
    for i in range(4):
        A[tx] = T.float32(2)
