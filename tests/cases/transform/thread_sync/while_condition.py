# pass: tir.ThreadSync("shared")
# raises: SharedCondition
@T.prim_func
def main(A: T.Buffer((128,), "float32"), B: T.Buffer((128,), "float32")):
    bx = T.launch_thread("blockIdx.x", 1)
    S = T.allocate([128], "float32", "shared")
    tx = T.launch_thread("threadIdx.x", 128)
    S1 = T.Buffer((128,), data=S, scope="shared")
    S1[tx] = A[tx]
    while S1[0] > T.float32(0):
        S1[tx] = T.float32(0)

# after
error[TS4060]: the condition of a while loop reads shared memory, which other threads may write
 --> <text>:8:11
  |
8 |     while S1[0] > T.float32(0):
  |           ^^^^^^^^^^^^^^^^^^^^
