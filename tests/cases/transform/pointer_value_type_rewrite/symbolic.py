# pass: tir.PointerValueTypeRewrite
# values: not compared: parameters get other dtypes
@T.prim_func
def main(b: T.handle, n: T.int32):
    B = T.match_buffer(b, (n * 4,), "int32")
    for i in range(2):
        B[i * 4: i * 4 + 4] = T.Broadcast(1, 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(b: T.handle, n: T.int32):
    B = T.match_buffer(b, (T.Div(n * 4, 4),), "int32x4")
    for i in range(2):
        B[T.Div(i * 4, 4)] = T.Broadcast(1, 4)
