# pass: tir.Simplify
# sums with a common factor are divided by it; where the constant is none of its multiples, <= becomes <
@T.prim_func
def main(A: T.Buffer((16,), "int32"), x: T.int32, y: T.int32):
    A[0] = T.Select(3 <= x * 2 + y * 2, 1, 0)
    A[1] = T.Select(4 <= x * 2 + y * 2, 1, 0)
    A[2] = T.Select(x * 3 + y * 3 <= 7, 1, 0)
    A[3] = T.Select(3 <= x * 2, 1, 0)
    A[4] = T.Select(x * 2 + y * 2 < 3, 1, 0)
    A[5] = T.Select(-3 <= x * 2 + y * 2, 1, 0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), x: T.int32, y: T.int32):
    A[0] = T.Select(1 < x + y, 1, 0)
    A[1] = T.Select(2 <= x + y, 1, 0)
    A[2] = T.Select(x + y < 3, 1, 0)
    A[3] = T.Select(2 <= x, 1, 0)
    A[4] = T.Select(x + y < 2, 1, 0)
    A[5] = T.Select(-2 < x + y, 1, 0)
