# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    tm: T.let[T.TensorMap()] = T.tvm_stack_alloca("tensormap", 1)
    T.call_packed("runtime.cuTensorMapEncodeTiled", tm, "float16", 2, A.data, 64, 64, 128, 64, 64, 1, 1, 0, 3, 2, 0)
    with T.attr({"tirx.device_entry": T.bool(True)}):
        bx = T.cta_id([4])
        tx = T.thread_id([128])
        T.address_of(tm)
