# pass: tir.LowerWarpMemory
# raises: InvalidWarpMemory
# differs from TVM: it hands over the address of the thread's part
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), B: T.Buffer((4096,), "float32")):
    T.func_attr({"target": T.target("cuda")})
    bx = T.launch_thread("blockIdx.x", 4)
    W = T.allocate([64], "float32", "warp")
    tx = T.launch_thread("threadIdx.x", 32)
    W1 = T.Buffer((64,), "float32", data=W, scope="warp")
    W1[tx] = A[bx*32+tx]
    T.evaluate(T.call_extern("int32","f",W1.data))

# after
error[TS4066]: warp memory W1 cannot be distributed over threads: its address is taken, but its elements are distributed over threads
 --> <text>:9:16
  |
9 |     T.evaluate(T.call_extern("int32","f",W1.data))
  |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
