# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.handle, b: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (n, n * 2), "float16")
    m = T.int64(is_size_var=True)
    B = T.match_buffer(b, (m,), "int8")
    # with T.block("root"):
    for i, j in T.grid(n, n * 2):
        with T.block("x"):
            vi, vj = T.axis.remap("SS", [i, j])
            T.reads(A[vi, vj])
            T.writes(A[vi, vj])
            A[vi, vj] = A[vi, vj] + T.float16(1)
    B[m - T.int64(1)] = T.int8(1)
