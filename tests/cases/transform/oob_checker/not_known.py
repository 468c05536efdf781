# pass: tir.OOBChecker
# values: not compared: the function may leave its buffer
# differs from TVM: the oracle knows it under another name
# It depends on the argument: nothing is claimed.
@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(n):
        A[i] = 1.0

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(n):
        A[i] = T.float32(1)
