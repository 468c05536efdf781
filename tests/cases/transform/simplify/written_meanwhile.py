# pass: tir.Simplify(propagate_knowns_to_prove_conditional=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    if A[0] == n:
        A[0] = A[0] + 1
        if A[0] == n:
            A[0] = 0
    for i in range(16):
        B[0] = i
        if B[0] == 3:
            A[i] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    if A[0] == n:
        A[0] = A[0] + 1
    for i in range(16):
        B[0] = i
        if B[0] == 3:
            A[i] = 1
