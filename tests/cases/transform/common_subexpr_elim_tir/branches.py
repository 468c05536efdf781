# pass: tir.CommonSubexprElimTIR
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    if n < 3:
        A[0] = x + y
    else:
        A[1] = x + y
    if n < 4:
        A[2] = x * y
    A[3] = x * y

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    cse_var_1: T.int32 = x + y
    if n < 3:
        A[0] = cse_var_1
    else:
        A[1] = cse_var_1
    if n < 4:
        A[2] = x * y
    A[3] = x * y
