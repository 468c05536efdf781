# pass: tir.RemoveNoOp
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    x = n + 1
    y = T.call_extern("int32", "f")
    for i in range(4):
        A[i] = 0

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    T.call_extern("int32", "f")
    for i in range(4):
        A[i] = 0
