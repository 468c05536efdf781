# pass: tir.LiftThreadBinding
# raises: ThreadsDiffer
# differs from TVM: it runs both loops on the threads of the first
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((64,), "float32")):
    for bx in T.thread_binding(4, thread="blockIdx.x"):
        for tx in T.thread_binding(16, thread="threadIdx.x"):
            B[bx * 16 + tx] = T.float32(1)
        for tx in T.thread_binding(8, thread="threadIdx.x"):
            B[tx] = T.float32(2)

# after
error[TS4021]: loops bound to threadIdx.x in one kernel have different domains: [0, 0 + 16) and [0, 0 + 8)
 --> <text>:8:13
  |
8 |         for tx in T.thread_binding(8, thread="threadIdx.x"):
  |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
