# pass: tir.LoopPartition
# the last part is not cut again and again, although which conditions hold there is not proved
# differs from TVM: it runs the first iteration where n is 0, too
@T.prim_func
def main(B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(n):
        if T.likely(i < n):
            B[i] = 1
        if T.likely(1 <= i):
            B[i + 32] = 2
        if T.likely(i < 7):
            B[i + 32] = 2

# after
# from tvm.script import tir as T

@T.prim_func
def main(B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(T.min(1, n - 1 + 1)):
        if i < n:
            B[i] = 1
        if 1 <= i:
            B[i + 32] = 2
        if i < 7:
            B[i + 32] = 2
    for i in range(T.min(n, 7) - T.min(1, n)):
        if T.bool(True):
            B[i + T.min(1, n - 1 + 1)] = 1
        if T.bool(True):
            B[i + T.min(1, n - 1 + 1) + 32] = 2
        if T.bool(True):
            B[i + T.min(1, n - 1 + 1) + 32] = 2
    for i in range(T.max(0, n - 7)):
        if i + T.min(n, 7) < n:
            B[i + T.min(n, 7)] = 1
        if 1 <= i + T.min(n, 7):
            B[i + T.min(n, 7) + 32] = 2
        if i + T.min(n, 7) < 7:
            B[i + T.min(n, 7) + 32] = 2
