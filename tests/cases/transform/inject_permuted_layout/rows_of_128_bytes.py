# pass: tir.InjectPermutedLayout
# differs from TVM: it permutes groups of eight elements, whatever their dtype is
@T.prim_func
def main(A: T.Buffer((64, 128), "int8"), B: T.Buffer((64, 128), "int8")):
    with T.block("root"):
        T.reads(A[0:64, 0:128])
        T.writes(B[0:64, 0:128])
        S = T.alloc_buffer((64, 128), "int8", scope="shared")
        for i, j in T.grid(64, 128):
            with T.block("w"):
                T.reads(A[i, j])
                T.writes(S[i, j])
                T.block_attr({"permuted_layout": "128B"})
                S[i, j] = A[i, j]
        for i, j in T.grid(64, 128):
            with T.block("r"):
                T.reads(S[i, j])
                T.writes(B[i, j])
                T.block_attr({"permuted_layout": "128B"})
                B[i, j] = S[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 128), "int8"), B: T.Buffer((64, 128), "int8")):
    with T.block("root"):
        T.reads(A[0:64, 0:128])
        T.writes(B[0:64, 0:128])
        S = T.alloc_buffer((64, 128), "int8", scope="shared")
        for i, j in T.grid(64, 128):
            with T.block("w"):
                T.reads(A[i, j])
                T.writes(S[i, j])
                S[i, T.bitwise_xor(j // 16, i % 8) * 16 + j % 16] = A[i, j]
        for i, j in T.grid(64, 128):
            with T.block("r"):
                T.reads(S[i, j])
                T.writes(B[i, j])
                B[i, j] = S[i, T.bitwise_xor(j // 16, i % 8) * 16 + j % 16]
