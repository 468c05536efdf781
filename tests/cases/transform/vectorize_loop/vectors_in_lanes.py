# pass: tir.VectorizeLoop
# differs from TVM: it fails, "Cannot broadcast lanes=4 is_scalable=0 to 16"
# Vectors in each iteration: each statement keeps a serial loop, for a reason of its own.
@T.prim_func
def main(A: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32"), V: T.Buffer((16,), "int32x4"), W: T.Buffer((16,), "int32x4"), n: T.int32):
    for i in T.vectorized(8):
        D = T.allocate([4], "int32", "global")
        E = T.Buffer((4,), "int32", data=D)
        E[0:4] = T.Broadcast(A[i], 4)
        C[i + 24] = E[1]
    for i in T.vectorized(4):
        C[T.Ramp(A[i] % 8, 2, 4)] = T.Broadcast(i, 4)
    for i in T.vectorized(4):
        C[T.Ramp(i * 2 + 40, 1, 4)] = T.Broadcast(i, 4)
    for i in T.vectorized(4):
        V[i + 4] = W[i] + T.Ramp(0, 1, 4)
    for i in T.vectorized(4):
        V[i] = T.Select(i < n, W[i], W[i + 4])
    for i in T.vectorized(4):
        V[i + 8] = T.Broadcast(A[i], 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), C: T.Buffer((64,), "int32"), V: T.Buffer((16,), "int32x4"), W: T.Buffer((16,), "int32x4"), n: T.int32):
    for i_s in range(8):
        E = T.allocate([4], "int32", "global")
        E_1 = T.Buffer((4,), "int32", data=E)
        E_1[0:4] = T.Broadcast(A[i_s], 4)
        C[i_s + 24] = E_1[1]
    for i_s in range(4):
        C[A[i_s] % 8:A[i_s] % 8 + 8:2] = T.Broadcast(i_s, 4)
    for i_s in range(4):
        C[i_s * 2 + 40:i_s * 2 + 40 + 4] = T.Broadcast(i_s, 4)
    for i_s in range(4):
        V[i_s + 4] = W[i_s] + T.Ramp(0, 1, 4)
    for i_s in range(4):
        V[i_s] = T.Select(i_s < n, W[i_s], W[i_s + 4])
    for i_s in range(4):
        V[i_s + 8] = T.Broadcast(A[i_s], 4)
