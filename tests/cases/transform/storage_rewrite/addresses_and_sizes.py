# pass: tir.StorageRewrite
# differs from TVM: it merges allocations of other sizes too
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
    b = T.decl_buffer((64,))
    c = T.decl_buffer((n,))
    d = T.decl_buffer((n,))
    T.call_extern("int32", "keep", a.data)
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
