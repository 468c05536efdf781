# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([128])
    x = T.alloc_local((128, 8), layout=T.TileLayout(T.S[(128, 8):(1 @ Axis.tid_in_wg, 1)]))
    A[bx, tx] = T.float16(1.0)
