# pass: tir.FlattenBuffer
@T.prim_func
def main(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for i in range(4):
        B = T.decl_buffer((2, 2), "float32")
        D = T.decl_buffer((), "float32")
        for j in range(4):
            D[()] = A[i, j]
            B[j // 2, j % 2] = D[()] + T.float32(1)
        for j in range(4):
            C[i, j] = B[j // 2, j % 2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for i in range(4):
        B = T.allocate([4], "float32", "global")
        D = T.allocate([1], "float32", "global")
        B_1 = T.Buffer((4,), data=B)
        for j in range(4):
            D_1 = T.Buffer((1,), data=D)
            A_1 = T.Buffer((16,), data=A.data)
            D_1[0] = A_1[i * 4 + j]
            B_1[j] = D_1[0] + T.float32(1)
        for j in range(4):
            C_1 = T.Buffer((16,), data=C.data)
            C_1[i * 4 + j] = B_1[j]
