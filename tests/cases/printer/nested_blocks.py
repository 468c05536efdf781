# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    # with T.block("root"):
    for i in range(4):
        with T.block("outer"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi * 4:vi * 4 + 4])
            T.writes(A[vi * 4:vi * 4 + 4])
            B = T.alloc_buffer((4,), scope="local")
            for j in range(4):
                with T.block("inner"):
                    vj = T.axis.spatial(4, j)
                    T.reads(A[vi * 4 + vj])
                    T.writes(B[vj])
                    B[vj] = A[vi * 4 + vj]
            for j in range(4):
                with T.block("inner_1"):
                    vj = T.axis.spatial(4, j)
                    T.where(vj < 3)
                    T.reads(B[vj])
                    T.writes(A[vi * 4 + vj])
                    A[vi * 4 + vj] = B[vj]
