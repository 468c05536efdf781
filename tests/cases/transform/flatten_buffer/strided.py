# pass: tir.FlattenBuffer
# differs from TVM: its extent ends before the last element where strides leave gaps
@T.prim_func
def main(a: T.handle, C: T.Buffer((8, 16), "float32")):
    s = T.int32()
    A = T.match_buffer(a, (8, 16), "float32", strides=[s, 1], elem_offset=4)
    for i, j in T.grid(8, 16):
        C[i, j] = A[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, C: T.Buffer((8, 16), "float32")):
    A = T.match_buffer(a, (8, 16), strides=("A_s0", 1), elem_offset=4)
    for i, j in T.grid(8, 16):
        C_1 = T.Buffer((128,), data=C.data)
        A_1 = T.Buffer((A.strides[0] * 7 + 20,), data=A.data)
        C_1[i * 16 + j] = A_1[i * A.strides[0] + j + 4]
