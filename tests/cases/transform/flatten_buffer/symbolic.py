# pass: tir.FlattenBuffer
@T.prim_func
def main(a: T.handle, c: T.handle, n: T.int64):
    m = T.int64()
    A = T.match_buffer(a, (n, m), "float32")
    C = T.match_buffer(c, (n, m), "float32")
    for i, j in T.grid(n, m):
        C[i, j] = A[i, j] * T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, c: T.handle, n: T.int64):
    m = T.int64()
    A = T.match_buffer(a, (n, m))
    C = T.match_buffer(c, (n, m))
    for i, j in T.grid(n, m):
        C_1 = T.Buffer((n * m,), data=C.data)
        A_1 = T.Buffer((n * m,), data=A.data)
        C_1[i * m + j] = A_1[i * m + j] * T.float32(2)
