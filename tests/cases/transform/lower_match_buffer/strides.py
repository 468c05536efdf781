# pass: tir.LowerMatchBuffer
@T.prim_func
def main(A: T.Buffer((8, 8, 8), "float32"), C: T.Buffer((8, 8, 8), "float32")):
    for i, j in T.grid(8, 2):
        with T.block():
            s0 = T.int32()
            s1 = T.int32()
            T.reads(A[i, j * 4:j * 4 + 4, 0:8])
            T.writes(C[i, j * 4:j * 4 + 4, 0:8])
            sub_A = T.match_buffer(A[i, j * 4:j * 4 + 4, 0:8], (4, 8), strides=[s0, s1], offset_factor=1)
            sub_C = T.match_buffer(C[i, j * 4:j * 4 + 4, 0:8], (4, 8), offset_factor=1)
            for k, l in T.grid(4, 8):
                sub_C[k, l] = sub_A[k, l] + T.Cast("float32", s0 + s1 + sub_A.elem_offset)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 8, 8), "float32"), C: T.Buffer((8, 8, 8), "float32")):
    # with T.block("root"):
    for i, j in T.grid(8, 2):
        with T.block(""):
            T.reads(A[i, j * 4:j * 4 + 4, 0:8])
            T.writes(C[i, j * 4:j * 4 + 4, 0:8])
            for k, l in T.grid(4, 8):
                C[i, j * 4 + k, l] = A[i, j * 4 + k, l] + T.Cast("float32", T.Add(8, 1) + (i * 64 + j * 32))
