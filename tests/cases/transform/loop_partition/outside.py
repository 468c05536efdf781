# pass: tir.LoopPartition(partition_const_loop=True)
# differs from TVM: the range where a condition holds may lie in front of the loop, or behind it; TVM leaves the loop then
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.serial(3, 3 + n):
        if T.likely(i < n):
            T.evaluate(0)
        else:
            B[i] = 1
    for i in range(16):
        if T.likely(A[0] * 10 < i):
            B[i + 20] = 1
    for i in T.serial(2, n):
        if T.likely(i > 10):
            B[i + 40] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(T.max(n - 3, 0)):
        if T.bool(True):
            T.evaluate(0)
        else:
            B[i + 3] = 1
    for i in range(T.min(3, n)):
        if i + T.max(n, 3) < n:
            T.evaluate(0)
        else:
            B[i + T.max(n, 3)] = 1
    for i in range(T.min(T.max(A[0] * 10 + 1, 0), 16)):
        if A[0] * 10 < i:
            B[i + 20] = 1
    for i in range(16 - T.min(T.max(A[0] * 10 + 1, 0), 16)):
        if T.bool(True):
            B[i + T.min(T.max(A[0] * 10 + 1, 0), 16) + 20] = 1
    for i in range(T.min(11, 2 + (n - 2) - 1 + 1) - 2):
        if i + 2 > 10:
            B[i + 2 + 40] = 1
    for i in range(T.max(n - 11, 0)):
        if T.bool(True):
            B[i + T.min(11, 2 + (n - 2) - 1 + 1) + 40] = 1
