# pass: tir.ConvertSSA
# the thread variable of several launches stays one
@T.prim_func
def main(A: T.Buffer((128,), "float32")):
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread(tx, 64):
        A[tx] = T.float32(0)
    with T.launch_thread(tx, 64):
        A[tx] = A[tx] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((128,), "float32")):
    tx = T.env_thread("threadIdx.x")
    with T.launch_thread(tx, 64):
        A[tx] = T.float32(0)
    T.launch_thread(tx, 64)
    A[tx] = A[tx] + T.float32(1)
