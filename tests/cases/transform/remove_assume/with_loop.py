# pass: tir.RemoveAssume
# values: not compared: what is assumed need not hold
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        T.evaluate(T.assume(A[i] == 0))
    for i in range(8):
        B[i] = A[i] + 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        B[i] = A[i] + 1
