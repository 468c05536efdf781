# pass: tir.CommonSubexprElimTIR
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(4, 8):
        A[i * 8 + j] = B[i * 8 + j] + i * 8

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(4, 8):
        cse_var_2: T.int32 = i * 8
        cse_var_1: T.int32 = cse_var_2 + j
        A[cse_var_1] = B[cse_var_1] + cse_var_2
