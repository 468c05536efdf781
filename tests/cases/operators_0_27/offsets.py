# from tvm.script import tirx as T
# from tvm.tirx.layout import Axis

@T.prim_func
def f(A: T.Buffer((16, 16), "float32"), off: T.int32):
    B = T.decl_buffer((4, 4), data=A.data, elem_offset=off)
    T.buffer_offset(B[1, 2])
    x: T.let[T.int32] = off + T.buffer_offset(B[off, 3])
    T.custom_op.scale(x, 2)
    B[0, 0] = T.float32(1.0)
