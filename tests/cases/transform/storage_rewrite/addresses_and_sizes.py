# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32):
    a = T.decl_buffer((64,))
    b = T.decl_buffer((64,))
    c = T.decl_buffer((n,))
    d = T.decl_buffer((n,))
    T.evaluate(T.call_extern("int32", "keep", a.data))
    for i in range(64):
        b[i] = A[i]
    for i in range(64):
        A[i] = b[i]
    for i in range(n):
        c[i] = A[i]
    for i in range(n):
        A[i] = c[i]
    for i in range(n):
        d[i] = A[i]
    for i in range(n):
        A[i] = d[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), n: T.int32):
    a = T.decl_buffer((64,))
    c = T.decl_buffer((n,))
    a_1 = T.decl_buffer((64,), data=a.data)
    c_1 = T.decl_buffer((n,), data=c.data)
    T.call_extern("int32", "keep", a.data)
    for i in range(64):
        a_1[i] = A[i]
    for i in range(64):
        A[i] = a_1[i]
    for i in range(n):
        c[i] = A[i]
    for i in range(n):
        A[i] = c[i]
    for i in range(n):
        c_1[i] = A[i]
    for i in range(n):
        A[i] = c_1[i]
