# pass: tir.PointerValueTypeRewrite
# values: not compared: it writes out of bounds
@T.prim_func
def main(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        A[i * 4 : i * 4 + 4] = T.Broadcast(T.float32(1), 4)
    for i in range(4):
        B[i * 4 + 1: i * 4 + 5] = T.Broadcast(T.float32(1), 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((18,), "float32"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        A[i * 4:i * 4 + 4] = T.Broadcast(T.float32(1), 4)
    for i in range(4):
        B[i * 4 + 1:i * 4 + 1 + 4] = T.Broadcast(T.float32(1), 4)
