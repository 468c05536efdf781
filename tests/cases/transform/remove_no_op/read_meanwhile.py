# pass: tir.RemoveNoOp(use_dataflow_analysis=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        A[i] = 100
        B[i] = A[i]
        A[i] = 42
    for i in range(16):
        B[i + 16] = 3
    for i in range(12):
        B[i + 16] = 4

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        A[i] = 100
        B[i] = A[i]
        A[i] = 42
    for i in range(16):
        B[i + 16] = 3
    for i in range(12):
        B[i + 16] = 4
