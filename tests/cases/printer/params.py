# from tvm.script import tir as T

@T.prim_func(private=True)
def main(x: T.float32, a: T.handle, b: T.handle, y: T.float32, c: T.handle, D: T.Buffer((), "float16"), p: T.handle("float32", "global"), q: T.handle("int8", "shared")):
    A = T.match_buffer(a, (4, 4), strides=(8, 1), elem_offset=4, align=128, offset_factor=2)
    B = T.match_buffer(b, (4, 4), "int8", scope="shared", axis_separators=[1])
    C = T.match_buffer(c, (4,), strides=("C_s0",), buffer_type="auto")
    T.evaluate(x + A[0, 1] + T.Cast("float32", B[0, 0]) + C[0] + T.Cast("float32", D[()]) + y)
    T.evaluate(p)
    T.evaluate(q)
    T.evaluate(C.strides[0])
    T.evaluate(A.data)
