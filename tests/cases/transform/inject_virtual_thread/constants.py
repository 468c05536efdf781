# pass: tir.InjectVirtualThread
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    if T.bool(True):
        A[0] = T.float32(1)
    if T.bool(False):
        A[1] = T.float32(1)
    if T.bool(False):
        A[2] = T.float32(1)
    else:
        A[3] = T.float32(2)
    B[0] = T.Select(T.bool(True), A[1], A[2])
    B[1] = T.if_then_else(T.bool(False), A[1], A[2])
    for i in range(8):
        if T.bool(False):
            A[i] = T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    A[0] = T.float32(1)
    A[3] = T.float32(2)
    B[0] = A[1]
    B[1] = A[2]
    for i in range(8):
        T.evaluate(0)
