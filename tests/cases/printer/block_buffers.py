# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32")):
    # with T.block("root"):
    for i in range(4):
        with T.block("b"):
            vi = T.axis.spatial(4, i)
            T.reads(A[vi * 4:vi * 4 + 4])
            T.writes(A[vi * 4:vi * 4 + 4])
            B = T.alloc_buffer((16,), "int8", scope="shared")
            C = T.alloc_buffer((4, 4))
            D = T.match_buffer(A[vi * 4:vi * 4 + 4], (4,), offset_factor=1)
            E = T.match_buffer(A[vi * 4:vi * 4 + 4], (4,), strides=("E_s0",), offset_factor=1)
            B[0] = T.int8(1)
            C[0, 0] = T.float32(1)
            D[0] = C[0, 0] + E[1]
            T.evaluate(E.strides[0] + E.elem_offset)
