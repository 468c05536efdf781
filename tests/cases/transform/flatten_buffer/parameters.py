# pass: tir.FlattenBuffer
@T.prim_func
def main(A: T.Buffer((16, 8), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((4, 4, 8), "float32")):
    for i, j in T.grid(16, 8):
        C[i // 4, i % 4, j] = A[i, j] + B[i * 8 + j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 8), "float32"), B: T.Buffer((128,), "float32"), C: T.Buffer((4, 4, 8), "float32")):
    for i, j in T.grid(16, 8):
        C_1 = T.Buffer((128,), data=C.data)
        A_1 = T.Buffer((128,), data=A.data)
        B_1 = T.Buffer((128,), data=B.data)
        C_1[i * 8 + j] = A_1[i * 8 + j] + B_1[i * 8 + j]
