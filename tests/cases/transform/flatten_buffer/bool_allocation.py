# pass: tir.FlattenBuffer
@T.prim_func
def main(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for i in range(4):
        M = T.decl_buffer((2, 2), "bool")
        for j in range(4):
            M[j // 2, j % 2] = A[i, j] > T.float32(0)
        for j in range(4):
            C[i, j] = T.if_then_else(M[j // 2, j % 2], A[i, j], T.float32(0))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
    for i in range(4):
        M = T.allocate([4], "int8", "global")
        M_1 = T.Buffer((4,), "int8", data=M)
        A_1 = T.Buffer((16,), data=A.data)
        for j in range(4):
            M_1[j] = T.Cast("int8", A_1[i * 4 + j] > T.float32(0))
        for j in range(4):
            C_1 = T.Buffer((16,), data=C.data)
            C_1[i * 4 + j] = T.if_then_else(T.Cast("bool", M_1[j]), A_1[i * 4 + j], T.float32(0))
