# pass: tir.RemoveStoreUndef
# values: not compared: a value that is not defined has none
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    v = T.undef(dtype="int32")
    w = v + 1
    A[0] = w
    B[0] = 4

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    B[0] = 4
