# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.int32, A: T.Buffer((16,), "float32"), B: T.Buffer((4, 4), "int32"), C: T.Buffer((), "float32")):
    A[x] = A[x + 1]
    A[x] = T.Cast("float32", B[x, x])
    B[x, 0] = B[0, x] + 1
    C[()] = C[()] + T.float32(1)
    A[B[x, 0]] = A[B[0, x]]
    A[x] = T.float32(1)
    T.evaluate(A[x])
