# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16"), B: T.Buffer((64, 64), "float16"), C: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    bx = T.cta_id([1])
    tx = T.thread_id([128])
    S = T.alloc_shared((64, 64), "float16")
    T.cta.copy(S[0:64, 0:64], A[0:64, 0:64], dispatch="vec_auto", vec_len=4)
