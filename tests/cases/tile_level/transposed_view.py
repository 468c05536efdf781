# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([128])
    S = T.alloc_shared((64, 64), "float16")
    P = T.decl_buffer((64, 64), "float16", data=S.data, scope="shared", layout=T.TileLayout(T.S[(64, 64):(1, 64)]))
    T.cta.zero(S[0:64, 0:64])
    T.tvm_access_ptr(T.type_annotation("float16"), P.data, 0, 4096, 1)
