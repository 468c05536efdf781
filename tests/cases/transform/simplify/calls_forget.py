# pass: tir.Simplify(propagate_knowns_to_simplify_expressions=True)
# differs from TVM: it takes calls to leave memory alone
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[0] = 3
    T.evaluate(T.call_extern("int32", "f", A.data))
    B[0] = A[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[0] = 3
    T.call_extern("int32", "f", A.data)
    B[0] = A[0]
