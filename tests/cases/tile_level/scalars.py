# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([4])
    tx = T.thread_id([64])
    i: T.int32 = bx
    while i < 64:
        A[i, tx] = T.float16(0.0)
        i = i + 4
