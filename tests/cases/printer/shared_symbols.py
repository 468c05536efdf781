# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.handle, b: T.handle, c: T.handle):
    C_s0 = T.int32()
    A = T.match_buffer(a, (C_s0, 4), strides=(C_s0 * 2, 1))
    B = T.match_buffer(b, (C_s0 + 1,), elem_offset=C_s0)
    C = T.match_buffer(c, (4, C_s0), strides=(C_s0, 1), offset_factor=4)
    for i in range(C_s0):
        A[i, 0] = B[i] + C[0, i]
