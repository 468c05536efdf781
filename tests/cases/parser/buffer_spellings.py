@T.prim_func
def f(A: T.Buffer((16,)), B: T.Buffer(16), C: T.Buffer([4, 4], "int8"), D: T.Buffer((), "float32"), E: T.Buffer((4,), "float32", strides=[2], elem_offset=3, scope="shared", align=16, offset_factor=4), F: T.Buffer((T.int64(4), T.int64(5)), "bool"), G: T.Buffer((4,), "float32", buffer_type="auto"), H: T.Buffer((4,4), axis_separators=[1])):
    D[()] = 1.0


# output
# from tvm.script import tir as T

@T.prim_func
def f(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), C: T.Buffer((4, 4), "int8"), D: T.Buffer((), "float32"), E_handle: T.handle, F: T.Buffer((T.int64(4), T.int64(5)), "bool"), G_handle: T.handle, H_handle: T.handle):
    E = T.match_buffer(E_handle, (4,), strides=(2,), elem_offset=3, scope="shared", align=16, offset_factor=4)
    G = T.match_buffer(G_handle, (4,), strides=("G_s0",), buffer_type="auto")
    H = T.match_buffer(H_handle, (4, 4), axis_separators=[1])
    D[()] = T.float32(1)
