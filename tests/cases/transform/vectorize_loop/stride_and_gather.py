# pass: tir.VectorizeLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), I: T.Buffer((64,), "int32"), B: T.Buffer((64,), "float32")):
    for j in T.vectorized(8):
        B[j * 2] = A[I[j] % 64] + T.Cast("float32", j)
    for j in T.vectorized(8):
        B[j * 8 + 1] = T.Select(j < 3, A[j // 2], A[0])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), I_1: T.Buffer((64,), "int32"), B: T.Buffer((64,), "float32")):
    B[0:16:2] = A[I_1[0:8] % T.Broadcast(64, 8)] + T.Cast("float32x8", T.Ramp(0, 1, 8))
    B[1:65:8] = T.Select(T.Ramp(0, 1, 8) < T.Broadcast(3, 8), A[T.Ramp(0, 1, 8) // T.Broadcast(2, 8)], T.Broadcast(A[0], 8))
