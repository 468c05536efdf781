# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer(("n", 64), "float16")):
    n = T.int32()
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([n])
    tx = T.thread_id([64])
    A[bx, tx] = T.float16(0.0)
