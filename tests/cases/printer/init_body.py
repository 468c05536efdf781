# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
    # with T.block("root"):
    for i, j in T.grid(4, 4):
        with T.block("x"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi], C[vi])
            with T.init():
                B[vi] = T.float32(0)
                C[vi] = T.float32(1)
            v: T.float32 = A[vi, vj]
            B[vi] = B[vi] + v
            C[vi] = C[vi] * v
