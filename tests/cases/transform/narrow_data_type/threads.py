# pass: tir.NarrowDataType(32)
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32")):
    for bx in T.thread_binding(T.int64(64), thread="blockIdx.x"):
        with T.launch_thread("threadIdx.x", T.int64(2)) as tx:
            A[bx * T.int64(2) + tx] = T.if_then_else(bx < T.int64(3), A[bx], T.float32(0))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32")):
    for bx in T.thread_binding(64, thread="blockIdx.x"):
        tx = T.launch_thread("threadIdx.x", 2)
        A[bx * 2 + tx] = T.if_then_else(bx < 3, A[bx], T.float32(0))
