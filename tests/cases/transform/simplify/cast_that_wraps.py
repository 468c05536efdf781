# pass: tir.Simplify
# differs from TVM: it takes data to fit where it is converted
@T.prim_func
def main(A: T.Buffer((24,), "uint32"), B: T.Buffer((24,), "int64"), C: T.Buffer((24,), "int32")):
    for i in range(24):
        x: T.uint32 = A[i]
        C[i] = T.if_then_else(T.Cast("int32", x) < 0, 1, 2)
        if B[i] >= T.int64(0):
            C[i] = T.if_then_else(T.Cast("int32", B[i]) < 0, 3, 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((24,), "uint32"), B: T.Buffer((24,), "int64"), C: T.Buffer((24,), "int32")):
    for i in range(24):
        x: T.uint32 = A[i]
        C[i] = T.if_then_else(T.Cast("int32", x) < 0, 1, 2)
        if T.int64(0) <= B[i]:
            C[i] = T.if_then_else(T.Cast("int32", B[i]) < 0, 3, 4)
