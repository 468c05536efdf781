# pass: tir.LowerVtcmAlloc
# values: not compared: the memory is of a device
# differs from TVM: the oracle does not make this pass by name
@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), n: T.int32):
    for i in range(14):
        A[i, 0] = A[i, 1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), n: T.int32):
    for i in range(14):
        A[i, 0] = A[i, 1]
