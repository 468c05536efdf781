# pass: tir.VectorizeLoop
# differs from TVM: it makes a vector of the first index, and its text does not read back
# Each statement keeps a serial loop, for a reason of its own.
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((8, 8), "int32"), C: T.Buffer((64,), "int32")):
    for i in T.vectorized(8):
        v: T.int32 = A[i]
        C[0] = C[0] + v
    for i in T.vectorized(8):
        B[i, 0] = A[i]
    for i in T.vectorized(8):
        C[i + 32] = B[i, 1]
    for i in T.vectorized(8):
        D = T.allocate([2, 2], "int32", "global")
        E = T.Buffer((2, 2), "int32", data=D)
        E[0, 1] = A[i]
        C[i + 8] = E[0, 1]
    for i in T.vectorized(8):
        D = T.allocate([4], "int32", "global")
        E = T.Buffer((2, 2), "int32", data=D)
        E[0, 1] = A[i]
        C[i + 16] = E[0, 1]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((8, 8), "int32"), C: T.Buffer((64,), "int32")):
    for i_s in range(8):
        v: T.int32 = A[i_s]
        C[0] = C[0] + v
    for i_s in range(8):
        B[i_s, 0] = A[i_s]
    for i_s in range(8):
        C[i_s + 32] = B[i_s, 1]
    for i_s in range(8):
        E = T.allocate([2, 2], "int32", "global")
        E_1 = T.Buffer((2, 2), "int32", data=E)
        E_1[0, 1] = A[i_s]
        C[i_s + 8] = E_1[0, 1]
    for i_s in range(8):
        E = T.allocate([4], "int32", "global")
        E_1 = T.Buffer((2, 2), "int32", data=E)
        E_1[0, 1] = A[i_s]
        C[i_s + 16] = E_1[0, 1]
