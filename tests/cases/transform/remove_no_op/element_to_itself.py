# pass: tir.RemoveNoOp
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(4, 4):
        A[i * 4 + j] = A[j + 4 * i]
    for i in range(1, 16):
        if i != 3:
            B[i] = B[i - 1]
        else:
            B[i] = B[3]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(1, 16):
        if i != 3:
            B[i] = B[i - 1]
