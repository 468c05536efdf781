# pass: tir.PointerValueTypeRewrite
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        A[i * 4 : i * 4 + 4] = T.Broadcast(T.float32(1), 4)
    A[3] = T.float32(2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        A[i * 4:i * 4 + 4] = T.Broadcast(T.float32(1), 4)
    A[3] = T.float32(2)
