# pass: tir.LiftThreadBinding
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((32,), "float32")):
    for i in range(2):
        for bx in T.thread_binding(4, thread="blockIdx.x"):
            for tx in T.thread_binding(4, thread="threadIdx.x"):
                B[bx * 4 + tx] = T.Cast("float32", i)
    for tx in T.thread_binding(8, thread="threadIdx.x"):
        if tx < 3:
            for ty in T.thread_binding(2, thread="threadIdx.y"):
                B[16 + tx * 2 + ty] = T.float32(1)
        else:
            for ty in T.thread_binding(2, thread="threadIdx.y"):
                B[16 + tx * 2 + ty] = T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((32,), "float32")):
    for i in range(2):
        for blockIdx_x in T.thread_binding(4, thread="blockIdx.x"):
            for threadIdx_x in T.thread_binding(4, thread="threadIdx.x"):
                B[blockIdx_x * 4 + threadIdx_x] = T.Cast("float32", i)
    for threadIdx_y in T.thread_binding(2, thread="threadIdx.y"):
        for threadIdx_x in T.thread_binding(8, thread="threadIdx.x"):
            if threadIdx_x < 3:
                B[16 + threadIdx_x * 2 + threadIdx_y] = T.float32(1)
            else:
                B[16 + threadIdx_x * 2 + threadIdx_y] = T.float32(2)
