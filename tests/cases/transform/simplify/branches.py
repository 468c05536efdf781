# pass: tir.Simplify
@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32):
    for i, j in T.grid(8, 8):
        if i * 8 + j < 64:
            A[i * 8 + j] = T.float32(1)
        if i * 8 + j < n:
            if i * 8 + j < n + 1:
                A[i * 8 + j] = T.float32(2)
            else:
                A[i * 8 + j] = T.float32(3)
        if i > 7:
            A[0] = T.float32(4)
    for i in range(64):
        if i % 4 == 0:
            A[i // 4 * 4] = T.float32(5)
            A[i] = A[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32):
    for i, j in T.grid(8, 8):
        A[i * 8 + j] = T.float32(1)
        if i * 8 + j < n:
            A[i * 8 + j] = T.float32(2)
    for i in range(64):
        if i % 4 == 0:
            A[i // 4 * 4] = T.float32(5)
