# pass: tir.Simplify
@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    A[0] = i < 4 and (i < 4 and 3 < j)
    A[1] = i < j or j < i
    A[2] = i < 5 and 7 < i
    A[3] = i // 4 == 2 and i % 4 == 1
    A[4] = i != 3 and i == 4

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bool"), i: T.int32, j: T.int32, k: T.int32):
    A[0] = i < 4 and i < 4 and 3 < j
    A[1] = i != j
    A[2] = T.bool(False)
    A[3] = i == 9
    A[4] = i == 4
