# pass: tir.LowerWarpMemory
# raises: InvalidWarpMemory
@T.prim_func
def main(A: T.Buffer((4096,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("cuda")})
    W = T.allocate([32], "float32", "warp")
    W1 = T.Buffer((32,), data=W, scope="warp")
    W1[0] = A[0]

# after
error[TS4066]: warp memory W1 cannot be distributed over threads: it is used outside of a launch of threadIdx.x
