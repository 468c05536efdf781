# pass: tir.ConvertBlocksToOpaque
@T.prim_func
def main(A: T.Buffer((127,), "float32"), B: T.Buffer((127,), "float32")):
    for i0, i1 in T.grid(8, 16):
        with T.block("B"):
            vi = T.axis.spatial(127, i0 * 16 + i1)
            T.where(i0 * 16 + i1 < 127)
            B[vi] = A[vi] * T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((127,), "float32"), B: T.Buffer((127,), "float32")):
    # with T.block("root"):
    for i0, i1 in T.grid(8, 16):
        with T.block("B"):
            T.where(i0 * 16 + i1 < 127)
            T.reads(A[i0 * 16 + i1])
            T.writes(B[i0 * 16 + i1])
            B[i0 * 16 + i1] = A[i0 * 16 + i1] * T.float32(2)
