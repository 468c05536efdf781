# pass: tir.RewriteUnsafeSelect
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    B[0:4] = T.Select(T.Broadcast(n < 4, 4), A[0:4], T.Broadcast(0, 4))
    B[4:8] = T.Select(n < 4, A[0:4], T.Broadcast(0, 4))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    B[0:4] = T.Select(T.Broadcast(n < 4, 4), A[0:4], T.Broadcast(0, 4))
    B[4:8] = T.if_then_else(n < 4, A[0:4], T.Broadcast(0, 4))
