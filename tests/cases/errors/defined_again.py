@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    x = n + 1
    if n > 0:
        x = n + 2
        A[x] = 1.0
    A[x] = 2.0  # error: TS2032 "x]"
    for i in range(4):
        for i in range(4):
            A[i] = 1.0
        A[i] = 2.0  # error: TS2032 "i]"

# output
error[TS2032]: x is ambiguous: an inner scope that has ended defined it again
 --> <text>:7:7
  |
7 |     A[x] = 2.0  # error: TS2032 "x]"
  |       ^
note: x is defined here, in a scope that has ended
 --> <text>:5:9
  |
5 |         x = n + 2
  |         ^
hint: rename the inner variable, or store the value in a buffer

error[TS2032]: i is ambiguous: an inner scope that has ended defined it again
  --> <text>:11:11
   |
11 |         A[i] = 2.0  # error: TS2032 "i]"
   |           ^
note: i is defined here, in a scope that has ended
 --> <text>:9:13
  |
9 |         for i in range(4):
  |             ^
hint: rename the inner variable, or store the value in a buffer

2 errors
