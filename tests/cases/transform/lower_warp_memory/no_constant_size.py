# pass: tir.LowerWarpMemory
# raises: InvalidWarpMemory
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("cuda")})
    W = T.allocate([n], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((32,), data=W, scope="warp")
    W1[tx] = A[tx]

# after
error[TS4066]: warp memory W1 cannot be distributed over threads: its size is not constant
 --> <text>:4:9
  |
4 |     W = T.allocate([n], "float32", "warp")
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
