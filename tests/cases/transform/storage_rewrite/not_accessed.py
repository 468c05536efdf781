# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.decl_buffer(16, dtype="float32")
    C = T.decl_buffer(16, dtype="float32")
    Unused = T.decl_buffer(16, dtype="float32")
    for i in range(16):
        B[i] = A[i]
    for i in range(16):
        C[i] = T.float32(2.0) * B[i]
    for i in range(16):
        D[i] = C[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.decl_buffer((16,))
    B_1 = T.decl_buffer((16,), data=B.data)
    for i in range(16):
        B[i] = A[i]
    for i in range(16):
        B_1[i] = T.float32(2) * B[i]
    for i in range(16):
        D[i] = B_1[i]
