# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    B = T.decl_buffer([16], "float32")
    C = T.decl_buffer([16], "float32")
    for i in range(16):
        B[i] = A[i]
    for i in range(8):
        C[i * 2] = B[i * 2]
        C[i * 2 + 1] = B[i * 2 + 1]
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
    for i in range(8):
        B_1[i * 2] = B[i * 2]
        B_1[i * 2 + 1] = B[i * 2 + 1]
    for i in range(16):
        D[i] = B_1[i]
