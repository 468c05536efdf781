# pass: tir.CommonSubexprElimTIR
# values: not compared: an index may be out of bounds
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    for i in range(8):
        A[i] = x + y
        B[i] = x + y
    for i in range(T.min(x, 8)):
        A[T.min(x, 8) + 8] = i

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    for i in range(8):
        cse_var_1: T.int32 = x + y
        A[i] = cse_var_1
        B[i] = cse_var_1
    for i in range(T.min(x, 8)):
        A[T.min(x, 8) + 8] = i
