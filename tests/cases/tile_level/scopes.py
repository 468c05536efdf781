# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx, by = T.cta_id([4, 2])
    wg = T.warpgroup_id([2])
    w = T.warp_id_in_wg([4])
    w2 = T.warp_id([8])
    l = T.lane_id([32])
    tx = T.thread_id([256])
    tw = T.thread_id_in_wg([128])
    A[bx + wg + w, by + w2 + l] = T.Cast("float16", tx + tw)
