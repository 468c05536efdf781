# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def written(A: T.Buffer((64, 64), "float32")):
    T.evaluate(T.ptr_byte_offset(A.data, 16, "float16"))
    q: T.let = T.ptr_byte_offset(A.data, 16, "float16")
    B = T.decl_buffer((4,), "float16", data=q)
    B[0] = T.float16(1)
    C = T.decl_buffer((4,), "float16", data=T.ptr_byte_offset(A.data, 32, "float16"))
    C[0] = T.float16(1)
    p: T.let = T.address_of(A[0, 0])
    T.evaluate(p)
    r: T.let = A.data
    T.evaluate(r)
    s: T.let = T.ptr_byte_offset(p, 4, "float16")
    T.evaluate(s)
    u: T.let = T.ptr_byte_offset(s, A[0, 0].astype("int32"), "float16x2")
    T.evaluate(u)
    S = T.alloc_shared((4,))
    w: T.let = T.ptr_byte_offset(S.data, 4, "float16")
    T.evaluate(w)


@T.prim_func
def printed(A: T.Buffer((64, 64), "float32")):
    T.ptr_byte_offset(A.data, 16, T.type_annotation("float16"))
    q: T.let[T.handle("float16", "global")] = T.ptr_byte_offset(A.data, 16, T.type_annotation("float16"))
    B = T.decl_buffer((4,), "float16", data=q)
    B[0] = T.float16(1.0)
    C = T.decl_buffer((4,), "float16", data=T.ptr_byte_offset(A.data, 32, T.type_annotation("float16")))
    C[0] = T.float16(1.0)
    p: T.let[T.handle("float32", "global")] = T.address_of(A[0, 0])
    T.evaluate(p)
    r: T.let[T.handle("float32", "global")] = A.data
    T.evaluate(r)
    s: T.let[T.handle("float16", "global")] = T.ptr_byte_offset(p, 4, T.type_annotation("float16"))
    T.evaluate(s)
    u: T.let[T.handle("float16x2", "global")] = T.ptr_byte_offset(s, T.Cast("int32", A[0, 0]), T.type_annotation("float16x2"))
    T.evaluate(u)
    S = T.alloc_shared((4,))
    w: T.let[T.handle("float16", "shared")] = T.ptr_byte_offset(S.data, 4, T.type_annotation("float16"))
    T.evaluate(w)
