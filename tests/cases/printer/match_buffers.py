# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((4, 16), "float32"), B: T.Buffer((4, 16), "float32")):
    # with T.block("root"):
    for i in range(4):
        with T.block("x"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi, 0:16])
            T.writes(B[vi, 0:16])
            A0 = T.match_buffer(A[vi, 0:16], (16,), strides=("A0_s0",), offset_factor=1)
            B0 = T.match_buffer(B[vi, 0:16], (1, 16), strides=("B0_s0", "B0_s1"), offset_factor=1)
            for j in range(16):
                B0[0, j] = A0[j]
            T.call_extern("int32", "f", A0.data, A0.elem_offset, A0.strides[0], B0.strides[0], B0.strides[1])
