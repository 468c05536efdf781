# pass: tir.ReduceBranchingThroughOvercompute(use_dataflow_analysis=True)
# differs from TVM: it reads D[16], and takes minutes for some of the rest
# values: not compared: what is assumed need not hold
# Stays: it is read before it is written over, in a later statement or iteration; not all of it is written over; a new
# access would be out of bounds.
@T.prim_func
def main(
    A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32"), D: T.Buffer((8,), "int32")
):
    for i in range(16):
        if i < 14:
            A[i] = 1
    for i in range(16):
        if i >= 14:
            B[i] = A[i]
    for i in range(16):
        A[i] = 2
    for t in range(3):
        B[t] = C[t]
        for i in range(16):
            if i < 14:
                C[i] = 1
    for i in range(15):
        C[i] = 2
    for i in range(12):
        if i < 8:
            A[i] = D[i]
    for i in range(12):
        A[i] = 3

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "int32"), B: T.Buffer((16,), "int32"), C: T.Buffer((16,), "int32"), D: T.Buffer((8,), "int32")):
    for i in range(16):
        if i < 14:
            A[i] = 1
    for i in range(16):
        if i >= 14:
            B[i] = A[i]
    for i in range(16):
        A[i] = 2
    for t in range(3):
        B[t] = C[t]
        for i in range(16):
            if i < 14:
                C[i] = 1
    for i in range(15):
        C[i] = 2
    for i in range(12):
        if i < 8:
            A[i] = D[i]
    for i in range(12):
        A[i] = 3
