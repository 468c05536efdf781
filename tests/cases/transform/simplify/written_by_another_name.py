# pass: tir.Simplify(propagate_knowns_to_prove_conditional=True)
# differs from TVM: it takes A[0] for 5, although the loop stores n there
# a store through another buffer of the same memory, beside one of other elements
@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    B = T.decl_buffer((64,), "int32", data=A.data)
    A[0] = 5
    for i in range(2):
        A[i + 1] = i
        B[0] = n
    if A[0] == 5:
        A[2] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), n: T.int32):
    B = T.decl_buffer((64,), "int32", data=A.data)
    A[0] = 5
    for i in range(2):
        A[i + 1] = i
        B[0] = n
    if A[0] == 5:
        A[2] = 1
