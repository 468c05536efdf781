# pass: tir.VectorizeLoop
# differs from TVM: it evaluates every operand for every lane
# The second operand of `and` and `or` is evaluated for all lanes where it has a value for all of them.
@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((64,), "bool"), n: T.int32):
    for i in T.vectorized(8):
        B[i] = A[i] < n and not A[i] == i or A[i] >= 3
    for i in T.vectorized(8):
        B[i + 8] = i < n and A[7 - i] >= 3
    for i in T.vectorized(8):
        B[i + 16] = i < 6 and A[i + 2] >= 3
    for i in T.vectorized(8):
        B[i + 24] = A[i] != 0 and 6 // A[i] >= 3

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32"), B: T.Buffer((64,), "bool"), n: T.int32):
    B[0:8] = T.Or(T.And(A[0:8] < T.Broadcast(n, 8), not A[0:8] == T.Ramp(0, 1, 8)), A[0:8] >= T.Broadcast(3, 8))
    B[8:16] = T.And(T.Ramp(0, 1, 8) < T.Broadcast(n, 8), A[T.Ramp(7, -1, 8)] >= T.Broadcast(3, 8))
    for i_s in range(8):
        B[i_s + 16] = i_s < 6 and A[i_s + 2] >= 3
    for i_s in range(8):
        B[i_s + 24] = A[i_s] != 0 and 6 // A[i_s] >= 3
