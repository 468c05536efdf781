# pass: tir.RemoveStoreUndef
# values: not compared: a value that is not defined has none
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        A[i] = T.undef(dtype="int32")
        B[i] = 5

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(16):
        B[i] = 5
