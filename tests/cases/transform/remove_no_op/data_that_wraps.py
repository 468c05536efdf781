# pass: tir.RemoveNoOp(use_dataflow_analysis=True)
# differs from TVM: it takes data not to overflow
# Twice an element may wrap around: half of it is another number then. The last store keeps the element.
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = A[i] - (A[i] - A[i] * 2 // 2)
    for i in range(4):
        A[i] = A[i] * 2 // 2
    for i in range(4):
        B[i] = B[i] - (A[i] - A[i])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    for i in range(4):
        A[i] = A[i] - (A[i] - A[i] * 2 // 2)
    for i in range(4):
        A[i] = A[i] * 2 // 2
