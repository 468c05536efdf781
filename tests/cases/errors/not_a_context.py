@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    with n:  # error: TS2010 "n:"
        A[0] = 1.0

# output
error[TS2010]: with cannot be used on the variable n
 --> <text>:3:10
  |
3 |     with n:  # error: TS2010 "n:"
  |          ^
hint: write T.block, T.init, T.let, T.allocate, T.attr, T.launch_thread, ...
