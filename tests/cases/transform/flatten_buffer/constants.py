# pass: tir.FlattenBuffer
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "float32")):
    table = T.allocate_const([0.5, 1.5, 2.5, 3.5], "float32", [2, 2])
    t = T.decl_buffer((2, 2), data=table)
    for i in range(8):
        B[i] = t[A[i] % 2, 1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "float32")):
    t = T.allocate_const([0.5, 1.5, 2.5, 3.5], "float32", [2, 2])
    for i in range(8):
        B_1 = T.Buffer((8,), data=B.data)
        t_1 = T.Buffer((4,), data=t)
        A_1 = T.Buffer((8,), "int32", data=A.data)
        B_1[i] = t_1[A_1[i] % 2 * 2 + 1]
