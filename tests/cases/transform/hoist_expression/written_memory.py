# pass: tir.HoistExpression
# differs from TVM: it takes the load out of the loop that writes the buffer
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        for j in range(8):
            x: T.int32 = A[i]
            if x < 3:
                A[i * 8 + j] = x

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(8, 8):
        x: T.int32 = A[i]
        if x < 3:
            A[i * 8 + j] = x
