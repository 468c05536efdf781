# pass: tir.UnifyThreadBinding
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((T.int64(64),), "int32"), B: T.Buffer((64,), "int32")):
    for bx in T.thread_binding(T.int64(4), thread="blockIdx.x"):
        for tx in T.thread_binding(T.int64(16), thread="threadIdx.x"):
            A[bx * T.int64(16) + tx] = 1
        for tx in T.thread_binding(16, thread="threadIdx.x"):
            B[tx] = tx + 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((T.int64(64),), "int32"), B: T.Buffer((64,), "int32")):
    for blockIdx_x in T.thread_binding(T.int64(4), thread="blockIdx.x"):
        for threadIdx_x in T.thread_binding(T.int64(16), thread="threadIdx.x"):
            A[blockIdx_x * T.int64(16) + threadIdx_x] = 1
            B[T.Cast("int32", threadIdx_x)] = T.Cast("int32", threadIdx_x) + 1
