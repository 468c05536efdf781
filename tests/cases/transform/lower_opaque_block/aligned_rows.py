# pass: tir.LowerOpaqueBlock
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    # with T.block("root"):
    B = T.alloc_buffer((16, 16))
    D = T.alloc_buffer((16, 16))
    with T.block(""):
        T.reads(A[0, 0])
        T.writes(B[0, 0], D[0, 0])
        T.block_attr({"buffer_dim_align": [[0, 0, 32, 8], [1, 0, 4, 1]]})
        B[0, 0] = A[0, 0]
        D[0, 0] = A[0, 0]
    with T.block(""):
        T.reads(A[0, 0])
        T.writes(B[0, 0])
        T.block_attr({"buffer_dim_align": [[0, 1, 32, 8]]})
        B[0, 0] = A[0, 0]
    with T.block(""):
        T.reads(B[0, 0])
        T.writes(C[0, 0])
        C[0, 0] = B[0, 0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    B = T.allocate([16, 16], "float32", "global", annotations={"buffer_dim_align": [[-1, 0, 32, 8], [-1, 1, 32, 8]]})
    B_1 = T.decl_buffer((16, 16), data=B)
    D = T.allocate([16, 16], "float32", "global", annotations={"buffer_dim_align": [[-1, 0, 4, 1]]})
    D_1 = T.decl_buffer((16, 16), data=D)
    B_1[0, 0] = A[0, 0]
    D_1[0, 0] = A[0, 0]
    B_1[0, 0] = A[0, 0]
    C[0, 0] = B_1[0, 0]
