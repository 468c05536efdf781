# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    a = T.decl_buffer((64,))
    b = T.decl_buffer((64,))
    c = T.decl_buffer((64,))
    d = T.decl_buffer((64,), "int32")
    e = T.decl_buffer((32,))
    for i in range(64):
        a[i] = A[i] + T.float32(1)
    for i in range(64):
        b[i] = a[i] * T.float32(2)
    for i in range(64):
        c[i] = b[i] + T.float32(3)
        d[i] = i
    for i in range(32):
        e[i] = c[i] + c[i + 32]
    for i in range(64):
        B[i] = c[i] + e[i % 32] + T.Cast("float32", d[i])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    a = T.decl_buffer((64,))
    d = T.decl_buffer((64,), "int32")
    e = T.decl_buffer((32,))
    a_1 = T.decl_buffer((64,), data=a.data)
    a_2 = T.decl_buffer((64,), data=a.data)
    for i in range(64):
        a[i] = A[i] + T.float32(1)
    for i in range(64):
        a_1[i] = a[i] * T.float32(2)
    for i in range(64):
        a_2[i] = a_1[i] + T.float32(3)
        d[i] = i
    for i in range(32):
        e[i] = a_2[i] + a_2[i + 32]
    for i in range(64):
        B[i] = a_2[i] + e[i % 32] + T.Cast("float32", d[i])
