# pass: tir.LiftThreadBinding
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((64,), "float32")):
    for bx in T.thread_binding(2, thread="blockIdx.x"):
        for v in T.thread_binding(2, thread="vthread.x"):
            for ty in T.thread_binding(4, thread="threadIdx.y"):
                for tx in T.thread_binding(4, thread="threadIdx.x"):
                    B[bx * 32 + v * 16 + ty * 4 + tx] = T.float32(1)
                for tx in T.thread_binding(4, thread="threadIdx.x"):
                    B[bx * 32 + v * 16 + ty * 4 + tx] = T.float32(2)
            for ty in T.thread_binding(4, thread="threadIdx.y"):
                B[bx * 32 + v * 16 + ty * 4] = T.float32(3)

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((64,), "float32")):
    for blockIdx_x in T.thread_binding(2, thread="blockIdx.x"):
        for vthread_x in T.thread_binding(2, thread="vthread.x"):
            for threadIdx_y in T.thread_binding(4, thread="threadIdx.y"):
                for threadIdx_x in T.thread_binding(4, thread="threadIdx.x"):
                    B[blockIdx_x * 32 + vthread_x * 16 + threadIdx_y * 4 + threadIdx_x] = T.float32(1)
                    B[blockIdx_x * 32 + vthread_x * 16 + threadIdx_y * 4 + threadIdx_x] = T.float32(2)
                B[blockIdx_x * 32 + vthread_x * 16 + threadIdx_y * 4] = T.float32(3)
