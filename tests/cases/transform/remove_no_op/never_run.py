# pass: tir.RemoveNoOp
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        for j in range(i - 20):
            B[i] = A[i] + j
    A[0] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[0] = 1
