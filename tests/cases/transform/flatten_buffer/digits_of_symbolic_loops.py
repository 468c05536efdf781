# pass: tir.FlattenBuffer
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (32, n, n))
    B = T.match_buffer(b, (32, n, n))
    for bx, tx in T.grid((n * n + 1) // 2, 64):
        if bx * 64 + tx < n * n * 32:
            B[(bx * 64 + tx) // (n * n), (bx * 64 + tx) % (n * n) // n, (bx * 64 + tx) % n] = A[(bx * 64 + tx) // (n * n), (bx * 64 + tx) % (n * n) // n, (bx * 64 + tx) % n]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle, n: T.int32):
    A = T.match_buffer(a, (32, n, n))
    B = T.match_buffer(b, (32, n, n))
    for bx, tx in T.grid((n * n + 1) // 2, 64):
        if bx * 64 + tx < n * n * 32:
            B_1 = T.Buffer((n * n * 32,), data=B.data)
            A_1 = T.Buffer((n * n * 32,), data=A.data)
            B_1[bx * 64 + tx] = A_1[bx * 64 + tx]
