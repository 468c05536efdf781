@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    T.func_attr({"target": T.target("-mcpu")})  # error: TS1030 "T.target"
    A[0] = 1.0

# output
error[TS1030]: '-mcpu' is not a target: it begins with its kind, such as llvm or cuda
 --> <text>:3:28
  |
3 |     T.func_attr({"target": T.target("-mcpu")})  # error: TS1030 "T.target"
  |                            ^^^^^^^^^^^^^^^^^
hint: write a kind with its options, such as llvm -mcpu=znver4
