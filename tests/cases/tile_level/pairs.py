# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    T.attr({"tirx.device_entry": T.bool(True)})
    cl = T.cluster_id([2])
    cc = T.cta_id_in_cluster([2])
    cp = T.cta_id_in_pair()
    tx = T.thread_id([32])
    A[cl, cc + cp] = T.float16(0.0)
