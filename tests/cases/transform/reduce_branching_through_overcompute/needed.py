# pass: tir.ReduceBranchingThroughOvercompute
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        if i < 14:
            A[i] = 1
        else:
            A[i] = 2

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        if i < 14:
            A[i] = 1
        else:
            A[i] = 2
