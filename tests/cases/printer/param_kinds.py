# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((4,), "float16"), B: T.Buffer((), "float32"), C: T.Buffer((T.int64(4), T.int64(4)), "int8"), D: T.Buffer((4,), "bool"), E: T.Buffer((4,), "float32x4")):
    T.evaluate(T.Cast("float32", A[0]))
    T.evaluate(B[()])
    T.evaluate(C[T.int64(0), T.int64(1)])
    T.evaluate(D[0])
    T.evaluate(E[0])
