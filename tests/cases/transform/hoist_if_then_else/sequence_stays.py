# pass: tir.HoistIfThenElse
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = 3
        for j in range(8):
            if n < 3:
                A[i * 8 + j] = 1
            if j < n:
                A[i * 8 + j] = 4

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = 3
        for j in range(8):
            if n < 3:
                A[i * 8 + j] = 1
            if j < n:
                A[i * 8 + j] = 4
