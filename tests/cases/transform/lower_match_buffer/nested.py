# pass: tir.LowerMatchBuffer
@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    for i in range(4):
        with T.block("outer"):
            T.reads()
            T.writes(A[i * 4:i * 4 + 4, 0:16])
            B = T.match_buffer(A[i * 4:i * 4 + 4, 0:16], (4, 16), offset_factor=1)
            for j in range(4):
                with T.block("inner"):
                    T.reads()
                    T.writes(B[0:4, j * 4:j * 4 + 4])
                    s = T.int32()
                    C = T.match_buffer(B[0:4, j * 4:j * 4 + 4], (4, 4), strides=[s, 1], offset_factor=1)
                    for k, l in T.grid(4, 4):
                        C[k, l] = T.Cast("float32", k * 4 + l)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    for i in range(4):
        with T.block("outer"):
            T.reads()
            T.writes(A[i * 4:i * 4 + 4, 0:16])
            for j in range(4):
                with T.block("inner"):
                    T.reads()
                    T.writes(A[i * 4:i * 4 + 4, j * 4:j * 4 + 4])
                    for k, l in T.grid(4, 4):
                        A[i * 4 + k, j * 4 + l] = T.Cast("float32", k * 4 + l)
