# pass: tir.CommonSubexprElimTIR
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    A[0] = B[0] + B[0] + T.popcount(x * y)
    A[1] = B[0] * T.popcount(x * y)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    cse_var_1: T.int32 = x * y
    A[0] = B[0] + B[0] + T.popcount(cse_var_1)
    A[1] = B[0] * T.popcount(cse_var_1)
