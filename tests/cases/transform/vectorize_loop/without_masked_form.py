# pass: tir.VectorizeLoop(is_predicated=True)
# differs from TVM: it has no masks of single lanes
# Each statement keeps a serial loop, for a reason of its own.
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((8, 8), "int32"), V: T.Buffer((16,), "int32x4"), W: T.Buffer((16,), "int32x4"), n: T.int32):
    for i in T.vectorized(8):
        if i % 3 != 0:
            D = T.allocate([1], "int32", "global")
            E = T.Buffer((1,), "int32", data=D)
            E[0] = i
            A[i] = E[0]
    for i in T.vectorized(8):
        if i % 3 != 0:
            for k in T.parallel(4):
                A[i * 4 + k] = k
    for i in T.vectorized(8):
        if i % 3 != 0:
            V[i] = T.Broadcast(3, 4)
    for i in T.vectorized(8):
        if i % 3 != 0:
            A[T.Ramp(i * 4, 1, 4)] = T.Broadcast(3, 4)
    for i in T.vectorized(8):
        if i % 3 != 0:
            B[i, i] = 1
    for i in T.vectorized(8):
        if i < n:
            V[i] = T.Broadcast(n, 4) // T.Broadcast(n, 4)
    for i in T.vectorized(8):
        if i < n:
            A[i] = T.clz(n)
    for i in T.vectorized(8):
        W[i] = T.if_then_else(i < n, W[i], W[i + 4])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((8, 8), "int32"), V: T.Buffer((16,), "int32x4"), W: T.Buffer((16,), "int32x4"), n: T.int32):
    for i_s in range(8):
        if i_s % 3 != 0:
            E = T.allocate([1], "int32", "global")
            E_1 = T.Buffer((1,), "int32", data=E)
            E_1[0] = i_s
            A[i_s] = E_1[0]
    for i_s in range(8):
        if i_s % 3 != 0:
            for k in T.parallel(4):
                A[i_s * 4 + k] = k
    for i_s in range(8):
        if i_s % 3 != 0:
            V[i_s] = T.Broadcast(3, 4)
    for i_s in range(8):
        if i_s % 3 != 0:
            A[i_s * 4:i_s * 4 + 4] = T.Broadcast(3, 4)
    for i_s in range(8):
        if i_s % 3 != 0:
            B[i_s, i_s] = 1
    for i_s in range(8):
        if i_s < n:
            V[i_s] = T.Broadcast(n, 4) // T.Broadcast(n, 4)
    for i_s in range(8):
        if i_s < n:
            A[i_s] = T.clz(n)
    for i_s in range(8):
        W[i_s] = T.if_then_else(i_s < n, W[i_s], W[i_s + 4])
