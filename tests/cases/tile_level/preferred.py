# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    cc = T.cta_id_in_cluster([2], preferred=[4])
    tx = T.thread_id([32])
    A[bx, cc] = T.float16(0.0)
