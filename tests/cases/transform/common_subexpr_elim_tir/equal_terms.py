# pass: tir.CommonSubexprElimTIR(identify_equiv_terms=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    A[0] = (x + y) + n
    A[1] = x + (y + n)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    cse_var_1: T.int32 = x + y + n
    A[0] = cse_var_1
    A[1] = cse_var_1
