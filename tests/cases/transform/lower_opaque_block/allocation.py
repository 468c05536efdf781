# pass: tir.LowerOpaqueBlock
@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i in range(16):
        with T.block():
            T.reads(A[i, 0:16])
            T.writes(C[i, 0:16])
            B = T.alloc_buffer((16,), "float32")
            D = T.alloc_buffer((16,), "float32", scope="shared")
            for j in range(16):
                with T.block():
                    T.reads(A[i, j])
                    T.writes(B[j], D[j])
                    B[j] = A[i, j] + T.float32(1)
                    D[j] = A[i, j]
            for j in range(16):
                with T.block():
                    T.reads(B[j], D[j])
                    T.writes(C[i, j])
                    C[i, j] = B[j] * D[j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16), "float32"), C: T.Buffer((16, 16), "float32")):
    for i in range(16):
        B = T.decl_buffer((16,))
        D = T.decl_buffer((16,), scope="shared")
        for j in range(16):
            B[j] = A[i, j] + T.float32(1)
            D[j] = A[i, j]
        for j in range(16):
            C[i, j] = B[j] * D[j]
