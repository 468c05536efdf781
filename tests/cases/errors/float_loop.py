@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(1.5):  # error: TS1003 "1.5"
        A[0] = 1.0

# output
error[TS1003]: a loop takes integers as its ends, but got 1.5
 --> <text>:3:20
  |
3 |     for i in range(1.5):  # error: TS1003 "1.5"
  |                    ^^^
