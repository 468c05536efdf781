# pass: tir.DefaultGPUSchedule
# raises: NoTargetForSchedule
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    # with T.block("root"):
    for i in range(8):
        with T.block("A"):
            vi = T.axis.spatial(8, i)
            T.reads()
            T.writes(A[vi])
            A[vi] = T.float32(1)

# after
error[TS4025]: function main cannot be scheduled for a GPU: none is bound to it, and none is current
 --> <text>:4:1
  |
4 | def main(A: T.Buffer((8,), "float32")):
  | ^^^^^^^^
