@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = T.int32()
    with T.let(x, n):
        A[x] = 1.0
    A[x] = 2.0  # error: TS1101 "A[x]"

# output
error[TS1101]: the variable x is used where it is not defined
 --> <text>:6:5
  |
6 |     A[x] = 2.0  # error: TS1101 "A[x]"
  |     ^^^^^^^^^^
note: it is defined here, but not outside of that scope
 --> <text>:4:10
  |
4 |     with T.let(x, n):
  |          ^^^^^^^^^^^
hint: give it a value around its use: with T.let(x, value):
