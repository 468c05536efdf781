# pass: tir.PointerValueTypeRewrite
# differs from TVM: it stores bools into int8
@T.prim_func
def main(A: T.Buffer((16,), "bool"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        A[i * 4 : i * 4 + 4] = T.Broadcast(T.bool(True), 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bool"), B: T.Buffer((16,), "float32")):
    for i in range(4):
        A[i * 4:i * 4 + 4] = T.Broadcast(T.bool(True), 4)
