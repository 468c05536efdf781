# finds nothing
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    bx = T.launch_thread("blockIdx.x", 2)
    for v in T.thread_binding(2, thread="vthread.x"):
        for t in T.thread_binding(16, thread="threadIdx.x"):
            B[bx * 32 + v * 16 + t] = A[bx * 32 + v * 16 + t]
