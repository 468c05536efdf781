# pass: tir.FlattenBuffer
# differs from TVM: its extent has the end of the last row, which the argument need not have
@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4, 4), "int32", strides=(7, 1))
    B = T.match_buffer(b, (4, 4), "int32", strides=(1, 4))
    for i, j in T.grid(4, 4):
        A[i, j] = B[i, j]
    for i, j in T.grid(4, 4):
        B[i, j] = B[i, j] + A[j, i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle):
    A = T.match_buffer(a, (4, 4), "int32", strides=(7, 1))
    B = T.match_buffer(b, (4, 4), "int32", strides=(1, 4))
    A_1 = T.Buffer((25,), "int32", data=A.data)
    B_1 = T.Buffer((16,), "int32", data=B.data)
    for i, j in T.grid(4, 4):
        A_1[i * 7 + j] = B_1[j * 4 + i]
    for i, j in T.grid(4, 4):
        B_1[j * 4 + i] = B_1[j * 4 + i] + A_1[j * 7 + i]
