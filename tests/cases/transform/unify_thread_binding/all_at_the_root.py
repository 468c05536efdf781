# pass: tir.UnifyThreadBinding
# values: not compared: what a thread does, all threads of axes that are launched further inside do too
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((32,), "float32")):
    for bx in T.thread_binding(2, thread="blockIdx.x", annotations={"x": 2}):
        B[bx] = T.float32(0)
        for i in range(2):
            for tx in T.thread_binding(8, thread="threadIdx.x", annotations={"y": 1}):
                B[bx * 16 + i * 8 + tx] = T.float32(1)
        for tx in T.thread_binding(8, thread="threadIdx.x"):
            for ty in T.thread_binding(2, thread="threadIdx.y"):
                B[bx * 16 + tx * 2 + ty] = B[bx * 16 + tx * 2 + ty] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((32,), "float32")):
    for blockIdx_x in T.thread_binding(2, thread="blockIdx.x", annotations={"x": 2}):
        for threadIdx_x in T.thread_binding(8, thread="threadIdx.x"):
            for threadIdx_y in T.thread_binding(2, thread="threadIdx.y"):
                B[blockIdx_x] = T.float32(0)
                for i in range(2):
                    for var in T.serial(1, annotations={"y": 1}):
                        B[blockIdx_x * 16 + i * 8 + threadIdx_x] = T.float32(1)
                B[blockIdx_x * 16 + threadIdx_x * 2 + threadIdx_y] = B[blockIdx_x * 16 + threadIdx_x * 2 + threadIdx_y] + T.float32(1)
