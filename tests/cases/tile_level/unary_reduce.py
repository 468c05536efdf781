# from tvm.script import ir as I
# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float32"), B: T.Buffer((64, 64), "float32"), C: T.Buffer((64, 64), "float32")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([1])
    tx = T.thread_id([128])
    S = T.alloc_shared((64, 64))
    S2 = T.alloc_shared((64, 64))
    S3 = T.alloc_shared((64, 64))
    T.cta.unary_reduce(S[0:64, 0:64], S2[0:64, 0], S3[0:64, 0:64], I.Op("tirx.tile.exp"), I.Op("tirx.tile.sum"), None, None, [-1])
