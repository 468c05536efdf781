@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = T.int32()
    with T.let(x, n):
        with T.let(x, n + 1):  # error: TS1102 "T.let"
            A[x] = 1.0

# output
error[TS1102]: the variable x is defined twice
 --> <text>:5:14
  |
5 |         with T.let(x, n + 1):  # error: TS1102 "T.let"
  |              ^^^^^^^^^^^^^^^
note: it is defined here first
 --> <text>:4:10
  |
4 |     with T.let(x, n):
  |          ^^^^^^^^^^^
hint: make a variable of its own for each
