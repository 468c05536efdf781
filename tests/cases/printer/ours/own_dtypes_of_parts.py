# from tvm.script import tir as T

@T.prim_func(private=True)
def main(a: T.handle, b: T.handle):
    off = T.int64()
    A = T.match_buffer(a, (4,), elem_offset=off)
    st = T.int64()
    B = T.match_buffer(b, (4,), strides=(st,))
    T.evaluate(off + st)
