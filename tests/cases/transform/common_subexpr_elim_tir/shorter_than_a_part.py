# pass: tir.CommonSubexprElimTIR(identify_equiv_terms=True)
# differs from TVM: it may use a name before it is defined
# half of the double is the sum itself, whose name has to be there before that of the double
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32):
    T.evaluate((n - x) * 2)
    T.evaluate(0 < (n - x) * 2 // 2)
    B[0] = (n - x) * 2 + (T.Mul(n - x, 1) + 1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32):
    cse_var_2: T.int32 = n - x
    cse_var_1: T.int32 = cse_var_2 * 2
    T.evaluate(cse_var_1)
    T.evaluate(0 < cse_var_2)
    B[0] = cse_var_1 + (cse_var_2 + 1)
