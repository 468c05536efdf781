# finds: TS5040 A[i] = A[i + 1] * T.float32(0.5)
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.parallel(63):
        A[i] = A[i + 1] * T.float32(0.5)
