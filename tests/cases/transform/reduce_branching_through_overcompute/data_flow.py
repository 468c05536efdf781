# pass: tir.ReduceBranchingThroughOvercompute(use_dataflow_analysis=True)
# differs from TVM: it takes a minute for this
# values: not compared: what is assumed need not hold
# Gone: what is added is known to be 0, what is written is written over later, or is there already.
@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        T.assume(i < 14 or A[i] == 0)
    B[0] = 0
    for i in range(16):
        if i < 14:
            B[0] = B[0] + A[i]
    for i in range(16):
        if i < n:
            C[i] = 1
    for i in range(16):
        if i >= n:
            C[i] = 2
    for i in range(4):
        B[i] = 5
    for i in range(4):
        if i < n:
            B[i] = 5

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32"), n: T.int32):
    for i in range(16):
        T.assume(i < 14 or A[i] == 0)
    B[0] = 0
    for i in range(16):
        B[0] = B[0] + A[i]
    for i in range(16):
        C[i] = 1
    for i in range(16):
        if i >= n:
            C[i] = 2
    for i in range(4):
        B[i] = 5
    for i in range(4):
        B[i] = 5
