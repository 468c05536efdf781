# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.handle, c: T.handle):
    A = T.match_buffer(a, (16, 16), "float16", scope="shared", offset_factor=16)
    C = T.match_buffer(c, (16, 16), "float16", strides=("C_s0", "C_s1"), scope="wmma.matrix_a", offset_factor=16)
    with T.block("root"):
        T.reads(A[0:16, 0:16])
        T.writes(C[0:16, 0:16])
        for i, j in T.grid(16, 16):
            with T.block("load"):
                vi, vj = T.axis.remap("SS", [i, j])
                T.reads(A[vi, vj])
                T.writes(C[vi, vj])
                C[vi, vj] = A[vi, vj]
