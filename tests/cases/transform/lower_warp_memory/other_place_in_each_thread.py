# pass: tir.LowerWarpMemory
# raises: InvalidWarpMemory
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    bx = T.launch_thread("blockIdx.x", 4)
    W = T.allocate([40], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((40,), "float32", data=W, scope="warp")
    W1[tx] = A[bx*32+tx]
    if tx < 8:
        W1[tx+32] = A[tx]
    B[bx*32+tx] = W1[(tx+1) % 40]

# after
error[TS4066]: warp memory W1 cannot be distributed over threads: the element (tx + 1) % 40 has a different local index in each thread
  --> <text>:11:19
   |
11 |     B[bx*32+tx] = W1[(tx+1) % 40]
   |                   ^^^^^^^^^^^^^^^
