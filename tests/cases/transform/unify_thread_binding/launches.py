# pass: tir.UnifyThreadBinding
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 4)
    with T.launch_thread("threadIdx.x", 16) as tx:
        B[bx * 16 + tx] = T.float32(1)
    tx = T.launch_thread("threadIdx.x", 16)
    B[bx * 16 + tx] = T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((64,), "float32")):
    for blockIdx_x in T.thread_binding(4, thread="blockIdx.x"):
        for threadIdx_x in T.thread_binding(16, thread="threadIdx.x"):
            B[blockIdx_x * 16 + threadIdx_x] = T.float32(1)
            B[blockIdx_x * 16 + threadIdx_x] = T.float32(2)
