@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in (0, 1):
        for y in (n,) * 20000:  # error: TS2026 "for y"
            A[y] = 1.0

# output
error[TS2026]: the result of expanding macros and loops is too large
 --> <text>:4:9
  |
4 |         for y in (n,) * 20000:  # error: TS2026 "for y"
  |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
5 |             A[y] = 1.0
  |             ^^^^^^^^^^
