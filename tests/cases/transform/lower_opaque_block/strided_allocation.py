# pass: tir.LowerOpaqueBlock
@T.prim_func
def main(A: T.Buffer((4, 16), "float32"), C: T.Buffer((4, 16), "float32")):
    with T.block():
        T.reads(A[0:4, 0:16])
        T.writes(C[0:4, 0:16])
        B = T.alloc_buffer((4, 16), "float32", strides=[17, 1])
        for i, j in T.grid(4, 16):
            B[i, j] = A[i, j] + T.float32(1)
        for i, j in T.grid(4, 16):
            C[i, j] = B[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 16), "float32"), C: T.Buffer((4, 16), "float32")):
    B = T.allocate([4, 17], "float32", "global")
    B_1 = T.decl_buffer((4, 16), data=B, strides=(17, 1))
    for i, j in T.grid(4, 16):
        B_1[i, j] = A[i, j] + T.float32(1)
    for i, j in T.grid(4, 16):
        C[i, j] = B_1[i, j]
