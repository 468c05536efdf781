# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((64, 64), "float16")):
    tm: T.let[T.TensorMap()] = T.tvm_stack_alloca("tensormap", 1)
    T.tensormap_encode_tiled(tm, A.data, 64, 64, 128, 64, 64, 1, 1, descriptor_dtype="float16", rank=2, interleave=0, swizzle=0, l2_promotion=0, oob_fill=0, force_cu_dtype=-1)
    with T.attr({"tirx.device_entry": T.bool(True)}):
        bx = T.cta_id([4])
        tx = T.thread_id([128])
        T.address_of(tm)
