# pass: tir.HoistIfThenElseBasic
# differs from TVM: it has the pass in C++ alone, and the oracle does not find it
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(8):
        if n < 3:
            A[i] = 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    if n < 3:
        for i in range(8):
            A[i] = 1
