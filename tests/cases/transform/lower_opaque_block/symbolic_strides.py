# pass: tir.LowerOpaqueBlock
# values: not compared: rows that are not there are read
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (1, n, 640))
    # with T.block("root"):
    for i, j in T.grid(((n + 63) // 64 * 4 + 7) // 8, 10):
        with T.block(""):
            T.reads(A[0, i * 128:i * 128 + T.min((n + 63) // 64 * 64, 96), j * 64:j * 64 + 64])
            T.writes()
            B = T.alloc_buffer((1, T.min((n + 63) // 64 * 64, 96), 64), strides=(72 * T.min((n + 63) // 64 * 64, 96), 72, 1), scope="shared.dyn")
            for k in range(T.min((n + 63) // 64 * 64, 96) * 64):
                with T.block("b"):
                    T.reads(A[0, i * 128 + k // 64, j * 64 + k % 64])
                    T.writes(B[0, k // 64, k % 64])
                    B[0, k // 64, k % 64] = A[0, i * 128 + k // 64, j * 64 + k % 64]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle):
    n = T.int32()
    A = T.match_buffer(a, (1, n, 640))
    for i, j in T.grid(((n + 63) // 64 * 4 + 7) // 8, 10):
        B = T.allocate([1, T.Div(72 * T.min((n + 63) // 64 * 64, 96), 72), 72], "float32", "shared.dyn")
        B_1 = T.decl_buffer((1, T.min((n + 63) // 64 * 64, 96), 64), data=B, strides=(72 * T.min((n + 63) // 64 * 64, 96), 72, 1), scope="shared.dyn")
        for k in range(T.min((n + 63) // 64 * 64, 96) * 64):
            B_1[0, k // 64, k % 64] = A[0, i * 128 + k // 64, j * 64 + k % 64]
