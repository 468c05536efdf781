# pass: tir.Simplify(propagate_knowns_to_prove_conditional=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(4, 4):
        A[i * 4 + j] = i
    for i, j in T.grid(4, 4):
        if A[i * 4 + j] == i:
            B[i] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i, j in T.grid(4, 4):
        A[i * 4 + j] = i
    for i, j in T.grid(4, 4):
        B[i] = 1
