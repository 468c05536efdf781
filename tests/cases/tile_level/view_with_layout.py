# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16"), n: T.int32):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([128])
    S = T.alloc_shared((64, 64), "float16")
    W = T.alloc_shared((64, 64), "float16", layout=T.ComposeLayout(3, 3, 3, T.TileLayout(T.S[(64, 64):(64, 1)])))
    C = T.alloc_shared((64, 64), "float16", layout=T.TileLayout(T.S[(64, 64):(1, 64)]))
    L = T.alloc_local((8, 4, 2), "float16", layout=T.TileLayout(T.S[(8, 4, 2):(4 @ Axis.laneid, 1 @ Axis.laneid, 1)]))
    P = C.view(4096)
