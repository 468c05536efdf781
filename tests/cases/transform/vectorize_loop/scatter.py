# pass: tir.VectorizeLoop
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.vectorized(4):
        A[0] = B[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    A[T.Broadcast(0, 4)] = B[0:4]
