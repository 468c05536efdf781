# pass: tir.LowerWarpMemory
# raises: InvalidWarpMemory
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    bx = T.launch_thread("blockIdx.x", 4)
    W = T.allocate([32], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 24)
    W1 = T.Buffer((32,), "float32", data=W, scope="warp")
    W1[tx] = A[bx*32+tx]

# after
error[TS4066]: warp memory W1 cannot be distributed over threads: threadIdx.x has 24 threads: they neither divide a warp of 32 nor are a group of 128
 --> <text>:6:10
  |
6 |     tx = T.launch_thread("threadIdx.x", 24)
  |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
