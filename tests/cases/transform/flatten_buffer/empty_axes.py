# pass: tir.FlattenBuffer
# differs from TVM: it refuses an axis of memory without an axis of the buffer
@T.prim_func
def main(A: T.Buffer((6, 5), "float32"), C: T.Buffer((6, 5), "float32")):
    memory = T.allocate([48], "float32", "global")
    B = T.decl_buffer((6, 5), "float32", data=memory, strides=(8, 1), axis_separators=[2])
    for i, j in T.grid(6, 5):
        B[i, j] = A[i, j]
    for i, j in T.grid(6, 5):
        C[i, j] = B[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((6, 5), "float32"), C: T.Buffer((6, 5), "float32")):
    B = T.allocate([48], "float32", "global")
    B_1 = T.Buffer((48, 1), data=B, axis_separators=[1])
    for i, j in T.grid(6, 5):
        A_1 = T.Buffer((30,), data=A.data)
        B_1[i * 8 + j, 0] = A_1[i * 5 + j]
    for i, j in T.grid(6, 5):
        C_1 = T.Buffer((30,), data=C.data)
        C_1[i * 5 + j] = B_1[i * 8 + j, 0]
