# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    a = T.decl_buffer((64,))
    b = T.decl_buffer((64,))
    c = T.decl_buffer((64,))
    for i, j in T.grid(8, 8):
        a[i * 8 + j] = A[i * 8 + j] + T.float32(1)
    for i in T.parallel(8):
        for j in range(8):
            b[i * 8 + j] = a[i * 8 + j] * a[i * 8 + j]
    for i, j in T.grid(8, 8):
        c[j * 8 + i] = b[j * 8 + i] + A[i]
    for i in range(64):
        B[i] = c[63 - i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    a = T.decl_buffer((64,))
    a_1 = T.decl_buffer((64,), data=a.data)
    a_2 = T.decl_buffer((64,), data=a.data)
    for i, j in T.grid(8, 8):
        a[i * 8 + j] = A[i * 8 + j] + T.float32(1)
    for i in T.parallel(8):
        for j in range(8):
            a_1[i * 8 + j] = a[i * 8 + j] * a[i * 8 + j]
    for i, j in T.grid(8, 8):
        a_2[j * 8 + i] = a_1[j * 8 + i] + A[i]
    for i in range(64):
        B[i] = a_2[63 - i]
