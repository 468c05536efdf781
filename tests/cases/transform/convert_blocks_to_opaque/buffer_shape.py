# pass: tir.ConvertBlocksToOpaque
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    for i in range(16):
        with T.block("outer"):
            vi = T.axis.spatial(16, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi, 0:16])
            C = T.match_buffer(B[vi, 0:16], (16,), offset_factor=1)
            for j in range(16):
                with T.block("inner"):
                    vj = T.axis.spatial(16, j)
                    T.reads(A[vi, vj])
                    T.writes(C[vj])
                    C[vj] = A[vi, vj] + T.Cast("float32", vi)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), B: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for i in range(16):
        with T.block("outer"):
            T.reads(A[i, 0:16])
            T.writes(B[i, 0:16])
            C = T.match_buffer(B[i, 0:16], (16,), offset_factor=1)
            for j in range(16):
                with T.block("inner"):
                    T.reads(A[i, j])
                    T.writes(C[j])
                    C[j] = A[i, j] + T.Cast("float32", i)
