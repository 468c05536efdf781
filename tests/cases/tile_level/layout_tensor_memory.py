# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([32])
    S = T.alloc_local((64, 64), "float16", layout=T.TileLayout(T.S[(64, 64):(1 @ Axis.TLane, 1 @ Axis.TCol)]))
    S[0, 0] = T.float16(0.0)
