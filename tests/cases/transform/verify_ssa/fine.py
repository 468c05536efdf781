# pass: tir.VerifySSA
# differs from TVM: the oracle has no constructor for it
# Loops of one name have variables of their own.
@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = 1.0
    for i in range(16):
        A[i] = 2.0

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32")):
    for i in range(16):
        A[i] = T.float32(1)
    for i in range(16):
        A[i] = T.float32(2)
