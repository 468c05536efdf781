# pass: tir.FlattenBuffer
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32, 7, 9), "float32"), B: T.Buffer((32, 63), "float32")):
    for i in range(2016):
        B[i // 63, i % 63] = A[i // 63, i % 63 // 9, i % 9]
    for i, j in T.grid(32, 63):
        B[i, j] = A[i, j // 9, j % 9]
    for i0, i1 in T.grid(64, 32):
        if i0 * 32 + i1 < 2016:
            B[(i0 * 32 + i1) // 63, (i0 * 32 + i1) % 63] = A[(i0 * 32 + i1) // 63, (i0 * 32 + i1) % 63 // 9, (i0 * 32 + i1) % 9]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((32, 7, 9), "float32"), B: T.Buffer((32, 63), "float32")):
    B_1 = T.Buffer((2016,), data=B.data)
    A_1 = T.Buffer((2016,), data=A.data)
    for i in range(2016):
        B_1[i] = A_1[i]
    for i, j in T.grid(32, 63):
        B_1[i * 63 + j] = A_1[i * 63 + j]
    for i0, i1 in T.grid(64, 32):
        if i0 * 32 + i1 < 2016:
            B_1[i0 * 32 + i1] = A_1[i0 * 32 + i1]
