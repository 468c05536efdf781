# pass: tir.ConvertForLoopsToSerial
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        for j in T.vectorized(4):
            A[i * 4 + j] = 0
        for j in T.parallel(1, 4, annotations={'note': 1}):
            B[i * 4 + j] = n

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        for j in T.vectorized(4):
            A[i * 4 + j] = 0
        for j in T.serial(1, 4, annotations={"note": 1}):
            B[i * 4 + j] = n
