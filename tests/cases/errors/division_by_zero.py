@T.prim_func
def f(A: T.Buffer((16,), "float32"), n: T.int32):
    A[1 // 0] = 1.0  # error: TS2025 "1 // 0"

# output
error[TS2025]: the operator //: integer division or modulo by zero
 --> <text>:3:7
  |
3 |     A[1 // 0] = 1.0  # error: TS2025 "1 // 0"
  |       ^^^^^^
