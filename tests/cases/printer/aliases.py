# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A_1 = T.Buffer((16,), data=A.data)
        A_1[i] = A_1[i] + T.float32(1)
    A_2 = T.Buffer((64,), "int8", data=A.data)
    A_2[0] = T.int8(1)
    for i in range(4):
        A_3 = T.Buffer((4, 4), data=A.data)
        A_3[i, 0] = T.float32(1)
    A_4 = T.Buffer((16,), data=A.data, strides=(2,), elem_offset=4, align=16, offset_factor=4)
    A_4[0] = T.float32(1)
