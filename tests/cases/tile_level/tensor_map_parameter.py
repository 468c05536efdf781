# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(tm: T.TensorMap()):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([128])
    T.address_of(tm)
