# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    w = T.warp_id()
    l = T.lane_id()
    tx = T.thread_id([256])
    A[bx, w + l] = T.float16(0.0)
