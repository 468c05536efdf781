# pass: tir.LoopPartition
# values: not compared: n is any number
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(n):
        if T.likely(i < 20):
            A[i] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(T.min(20, n)):
        if T.bool(True):
            A[i] = 1
    for i in range(n - 20):
        if i + T.min(20, n - 1 + 1) < 20:
            A[i + T.min(20, n - 1 + 1)] = 1
