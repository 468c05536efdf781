# pass: tir.CommonSubexprElimTIR(False)
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    A[0] = (x + y) * (x + y)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    A[0] = (x + y) * (x + y)
