# pass: tir.Simplify(propagate_knowns_to_prove_conditional=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        A[i] = i
    for i in range(16):
        if A[i] == i:
            B[i] = 42
        else:
            B[i] = 100

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        A[i] = i
    for i in range(16):
        B[i] = 42
