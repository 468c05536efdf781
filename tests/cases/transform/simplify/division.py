# pass: tir.Simplify
@T.prim_func
def main(A: T.Buffer((64,), "int32"), x: T.int32, y: T.int32):
    A[0] = x * 0
    A[1] = T.truncdiv(x * 4, 4) + T.truncmod(x, 1)
    A[2] = (x + 8) // -4
    A[3] = (x * 6 + 3) % 3
    A[4] = (x % 8) // 4 * 4 + x % 4
    A[5] = x // y
    A[6] = (x * y + y) // y
    A[7] = T.shift_left(x, 3) + T.shift_right(x, 2) + T.bitwise_and(x, 15)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), x: T.int32, y: T.int32):
    A[0] = 0
    A[1] = x
    A[2] = (x + 8) // -4
    A[3] = 0
    A[4] = x % 8
    A[5] = x // y
    A[6] = x + 1
    A[7] = T.shift_left(x, 3) + T.shift_right(x, 2) + T.bitwise_and(x, 15)
