# pass: tir.FlattenBuffer
# differs from TVM: its extent has the end of the last row, which the argument need not have
@T.prim_func
def main(a: T.handle):
    A = T.match_buffer(a, (4, 4), "int32", strides=(7, 1))
    for i, j in T.grid(4, 4):
        A[i, j] = 3

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle):
    A = T.match_buffer(a, (4, 4), "int32", strides=(7, 1))
    for i, j in T.grid(4, 4):
        A_1 = T.Buffer((25,), "int32", data=A.data)
        A_1[i * 7 + j] = 3
