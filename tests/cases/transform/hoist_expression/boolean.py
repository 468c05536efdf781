# pass: tir.HoistExpression
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        for j in range(8):
            if i < n or j < 4:
                A[i * 8 + j] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        if i < n:
            for j in range(8):
                A[i * 8 + j] = 1
        else:
            for j in range(8):
                if j < 4:
                    A[i * 8 + j] = 1
