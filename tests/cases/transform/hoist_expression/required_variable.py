# pass: tir.HoistExpression
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        for j in range(8):
            x: T.int32 = B[i]
            if x < 3:
                A[i * 8 + j] = x

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        x: T.int32 = B[i]
        if x < 3:
            for j in range(8):
                A[i * 8 + j] = x
