@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(4):
        A[i] = 1.0
    A[i] = 2.0  # error: TS2003 "i"

# output
error[TS2003]: i is not defined
 --> <text>:5:7
  |
5 |     A[i] = 2.0  # error: TS2003 "i"
  |       ^
note: i is defined here, in a scope that has ended
 --> <text>:3:9
  |
3 |     for i in range(4):
  |         ^
hint: store the value in a buffer that is allocated in front of the scope
