# pass: tir.OOBChecker
# differs from TVM: the oracle knows it under another name
@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] + A[i + 1] + A[i + 2]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((14,), "float32")):
    for i in range(14):
        B[i] = A[i] + A[i + 1] + A[i + 2]
