# pass: tir.PointerValueTypeRewrite
# values: not compared: parameters get other dtypes
@T.prim_func
def main(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    for i in range(3):
        A[i * 8 + 4:i * 8 + 8] = T.Broadcast(T.float32(1), 4)
        B[i * 8 + 2:i * 8 + 6] = T.Broadcast(T.float32(1), 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "float32x4"), B: T.Buffer((32,), "float32")):
    for i in range(3):
        A[T.Div(i * 8 + 4, 4)] = T.Broadcast(T.float32(1), 4)
        B[i * 8 + 2:i * 8 + 2 + 4] = T.Broadcast(T.float32(1), 4)
