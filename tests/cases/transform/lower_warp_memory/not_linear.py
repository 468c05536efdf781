# pass: tir.LowerWarpMemory
# raises: InvalidWarpMemory
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    bx = T.launch_thread("blockIdx.x", 4)
    W = T.allocate([64], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((64,), "float32", data=W, scope="warp")
    W1[tx*tx] = A[bx*32+tx]

# after
error[TS4066]: warp memory W1 cannot be distributed over threads: the index tx * tx of a store is not linear in tx with a positive coefficient
 --> <text>:8:8
  |
8 |     W1[tx*tx] = A[bx*32+tx]
  |        ^^^^^
