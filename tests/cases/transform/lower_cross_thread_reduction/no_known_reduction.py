# pass: tir.LowerCrossThreadReduction
# raises: CannotReduceAcrossThreads
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4,), "float32")):
    # with T.block("root"):
    for i in range(4):
        for k in T.thread_binding(32, thread="threadIdx.x"):
            with T.block("B"):
                vi, vk = T.axis.remap("SR", [i, k])
                T.reads(A[vi, vk])
                T.writes(B[vi])
                with T.init():
                    B[vi] = T.float32(0)
                B[vi] = B[vi] - A[vi, vk]

# after
error[TS4022]: the reduction of block B cannot be lowered across threads: no known reduction starts and goes on in this way
 --> <text>:8:18
  |
8 |             with T.block("B"):
  |                  ^^^^^^^^^^^^
