# pass: tir.HoistExpression
# differs from TVM: it takes the load out of the condition
@T.prim_func
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        for j in range(4):
            if i < 3:
                x: T.int32 = A[i]
                B[j] = x + j
    for i in range(4):
        for j in range(i):
            if 12 // i > n:
                B[j] = j

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((3,), "int32"), B: T.Buffer((4,), "int32"), n: T.int32):
    for i in range(4):
        if i < 3:
            for j in range(4):
                x: T.int32 = A[i]
                B[j] = x + j
    for i in range(4):
        for j in range(i):
            if n < 12 // i:
                B[j] = j
