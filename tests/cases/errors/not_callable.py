@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[n(1)] = 1.0  # error: TS2006 "n(1)"

# output
error[TS2006]: the variable n cannot be called
 --> <text>:3:7
  |
3 |     A[n(1)] = 1.0  # error: TS2006 "n(1)"
  |       ^^^^
hint: call a function of T or I, a function of the module, or a macro
