@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(0, 8, 2):  # error: TS1003 "2)"
        A[i] = 1.0

# output
error[TS1003]: range in a kernel takes a step of 1, but got 2
 --> <text>:3:26
  |
3 |     for i in range(0, 8, 2):  # error: TS1003 "2)"
  |                          ^
hint: use a step of 1 and multiply: for k in range(2): i = k * 2
