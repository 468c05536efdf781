# pass: tir.RemoveNoOp(use_dataflow_analysis=True)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        if i < 10:
            A[i] = 100
    for i in range(16):
        if i // 4 < 3:
            A[i] = 42
    B[0] = 1
    B[0] = 2

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        if i // 4 < 3:
            A[i] = 42
    B[0] = 2
