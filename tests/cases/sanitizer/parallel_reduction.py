# finds: TS5040 B[0] = B[0] + A[i]
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.parallel(64):
        B[0] = B[0] + A[i]
