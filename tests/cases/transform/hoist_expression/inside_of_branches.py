# pass: tir.HoistExpression
# differs from TVM: what the other branch does is lost there where the condition inside of the first does not hold
@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        for j in range(8):
            if n < 2:
                if n + i < 3:
                    A[i * 8 + j] = 1
            else:
                A[i * 8 + j] = 2
    for i in range(4):
        for j in range(8):
            if j < 3:
                A[i * 8 + j + 32] = 3
            else:
                if n + i < 3:
                    A[i * 8 + j + 32] = 4

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    if n < 2:
        for i in range(4):
            if n + i < 3:
                for j in range(8):
                    A[i * 8 + j] = 1
    else:
        for i in range(4):
            if n + i < 3:
                for j in range(8):
                    A[i * 8 + j] = 2
            else:
                for j in range(8):
                    A[i * 8 + j] = 2
    for i in range(4):
        if n + i < 3:
            for j in range(8):
                if j < 3:
                    A[i * 8 + j + 32] = 3
                else:
                    A[i * 8 + j + 32] = 4
        else:
            for j in range(8):
                if j < 3:
                    A[i * 8 + j + 32] = 3
