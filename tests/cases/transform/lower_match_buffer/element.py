# pass: tir.LowerMatchBuffer
@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    for i, j in T.grid(8, 8):
        with T.block():
            T.reads(A[i, j])
            T.writes(C[i, j])
            sub_A = T.match_buffer(A[i, j], (), offset_factor=1)
            sub_C = T.match_buffer(C[i, j], (), offset_factor=1)
            sub_C[()] = sub_A[()] * T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8, 8), "float32"), C: T.Buffer((8, 8), "float32")):
    # with T.block("root"):
    for i, j in T.grid(8, 8):
        with T.block(""):
            T.reads(A[i, j])
            T.writes(C[i, j])
            C[i, j] = A[i, j] * T.float32(2)
