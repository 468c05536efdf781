# pass: tir.CommonSubexprElimTIR
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    t: T.int32 = x + y
    if n < 3:
        A[0] = x + y
    A[1] = t

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32, x: T.int32, y: T.int32):
    t: T.int32 = x + y
    if n < 3:
        A[0] = t
    A[1] = t
