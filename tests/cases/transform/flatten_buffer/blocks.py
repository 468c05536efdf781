# pass: tir.FlattenBuffer
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    # with T.block("root"):
    C = T.alloc_buffer((4, 8))
    for i, j in T.grid(4, 8):
        with T.block("C"):
            T.reads(A[i, j])
            T.writes(C[i, j])
            C[i, j] = A[i, j]
    for i, j in T.grid(4, 8):
        with T.block("B"):
            T.reads(C[i, j])
            T.writes(B[i, j])
            B[i, j] = C[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 8), "float32"), B: T.Buffer((4, 8), "float32")):
    # with T.block("root"):
    C = T.alloc_buffer((32,))
    for i, j in T.grid(4, 8):
        with T.block("C"):
            A_1 = T.Buffer((32,), data=A.data)
            T.reads(A_1[i * 8 + j:i * 8 + j + (i * 8 + j + 1 - (i * 8 + j))])
            T.writes(C[i * 8 + j:i * 8 + j + (i * 8 + j + 1 - (i * 8 + j))])
            C[i * 8 + j] = A_1[i * 8 + j]
    for i, j in T.grid(4, 8):
        with T.block("B"):
            T.reads(C[i * 8 + j:i * 8 + j + (i * 8 + j + 1 - (i * 8 + j))])
            B_1 = T.Buffer((32,), data=B.data)
            T.writes(B_1[i * 8 + j:i * 8 + j + (i * 8 + j + 1 - (i * 8 + j))])
            B_1[i * 8 + j] = C[i * 8 + j]
