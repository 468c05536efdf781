# pass: tir.InjectPermutedLayout
@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(B[0:64, 0:64])
        S = T.alloc_buffer((64, 64), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="local")
        for i, j in T.grid(64, 64):
            with T.block("w"):
                T.reads(A[i, j])
                T.writes(S[i, j])
                T.block_attr({"permuted_layout": 0})
                S[i, j] = A[i, j]
        for i, j in T.grid(64, 64):
            with T.block("r"):
                T.reads(S[i, j])
                T.writes(B[i, j])
                T.block_attr({"permuted_layout": 0})
                B[i, j] = S[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16")):
    with T.block("root"):
        T.reads(A[0:64, 0:64])
        T.writes(B[0:64, 0:64])
        S = T.alloc_buffer((64, 64), "float16", scope="shared")
        L = T.alloc_buffer((32, 8), "float16", scope="local")
        for i, j in T.grid(64, 64):
            with T.block("w"):
                T.reads(A[i, j])
                T.writes(S[i, j])
                T.block_attr({"permuted_layout": 0})
                S[i, j] = A[i, j]
        for i, j in T.grid(64, 64):
            with T.block("r"):
                T.reads(S[i, j])
                T.writes(B[i, j])
                T.block_attr({"permuted_layout": 0})
                B[i, j] = S[i, j]
