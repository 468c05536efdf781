# pass: tir.FlattenBuffer
@T.prim_func
def main(A: T.Buffer((4, 4), "bool"), B: T.Buffer((16,), "bool"), C: T.Buffer((4, 4), "bool")):
    for i, j in T.grid(4, 4):
        C[i, j] = A[i, j] and not B[i * 4 + j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 4), "bool"), B: T.Buffer((16,), "bool"), C: T.Buffer((4, 4), "bool")):
    for i, j in T.grid(4, 4):
        C_1 = T.Buffer((16,), "int8", data=C.data)
        A_1 = T.Buffer((16,), "int8", data=A.data)
        B_1 = T.Buffer((16,), "int8", data=B.data)
        C_1[i * 4 + j] = T.Cast("int8", T.Cast("bool", A_1[i * 4 + j]) and not T.Cast("bool", B_1[i * 4 + j]))
