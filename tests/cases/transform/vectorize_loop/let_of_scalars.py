# pass: tir.VectorizeLoop
# a variable of an expression is a vector, and what is computed with it has no vector form
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    x = T.int32()
    for i in T.vectorized(4):
        B[i] = T.Let(x + T.if_then_else(i < n, i, 3), where={x: A[i]})

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), n: T.int32):
    for i_s in range(4):
        x = T.int32()
        B[i_s] = T.Let(x + T.if_then_else(i_s < n, i_s, 3), where={x: A[i_s]})
