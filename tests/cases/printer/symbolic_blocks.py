# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.handle, b: T.handle):
    n, m = T.int32(), T.int64()
    A = T.match_buffer(a, (n, m))
    B = T.match_buffer(b, (n,))
    # with T.block("root"):
    for i, j in T.grid(n, m):
        with T.block("x"):
            vi, vj = T.axis.remap("SR", [i, j])
            T.reads(A[vi, vj])
            T.writes(B[vi])
            with T.init():
                B[vi] = T.float32(0)
            B[vi] = B[vi] + A[vi, vj]
