# pass: tir.FlattenBuffer
# values: not compared: the interpreter has no memory of several axes
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle):
    A = T.match_buffer(a, (2, 3, 2, 3, 2, 2), axis_separators=[2, 4])
    for i0, i1, i2, i3, i4, i5 in T.grid(2, 3, 2, 3, 2, 2):
        A[i0, i1, i2, i3, i4, i5] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle):
    A = T.match_buffer(a, (2, 3, 2, 3, 2, 2), axis_separators=[2, 4])
    for i0, i1, i2, i3, i4, i5 in T.grid(2, 3, 2, 3, 2, 2):
        A_1 = T.Buffer((6, 6, 4), data=A.data, axis_separators=[1, 2])
        A_1[i0 * 3 + i1, i2 * 3 + i3, i4 * 2 + i5] = T.float32(0)
