# pass: tir.Simplify
@T.prim_func
def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32"), n: T.int32):
    for i, j in T.grid(16, 16):
        B[(i * 16 + j) // 16 * 16 + (i * 16 + j) % 16] = A[(i * 4 + j // 4) * 4 + j % 4]
    for i in range(8):
        B[i * 2 + 1] = A[(i * 8 + 7) // 4] + A[(n * 12 + i) // 12 - n] + A[T.max(i, 0) + T.min(i, 9)]
    for i in T.serial(n):
        if i < n:
            B[(i * 3 + 0) * 1 % 256 + 0] = T.if_then_else(i >= 0, A[i % 256], T.float32(0)) * T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((256,), "float32"), B: T.Buffer((256,), "float32"), n: T.int32):
    for i, j in T.grid(16, 16):
        B[i * 16 + j] = A[i * 16 + j]
    for i in range(8):
        B[i * 2 + 1] = A[i * 2 + 1] + A[0] + A[i * 2]
    for i in range(n):
        B[i * 3 % 256] = A[i % 256]
