# pass: tir.VectorizeLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for j in T.vectorized(8):
        B[j] = A[j] + T.float32(1)
        if j < n:
            B[j + 8] = A[j]
        if n < 5:
            B[j + 16] = A[j]
        else:
            B[j + 24] = A[j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    B[0:8] = A[0:8] + T.Broadcast(T.float32(1), 8)
    for j_s in range(8):
        if j_s < n:
            B[j_s + 8] = A[j_s]
    if n < 5:
        B[16:24] = A[0:8]
    else:
        B[24:32] = A[0:8]
