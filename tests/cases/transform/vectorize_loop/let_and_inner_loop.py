# pass: tir.VectorizeLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for j in T.vectorized(8):
        x: T.float32 = A[j] * T.float32(2)
        for k in range(4):
            B[k * 8 + j] = x + A[k]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    x: T.float32x8 = A[0:8] * T.Broadcast(T.float32(2), 8)
    for k in range(4):
        B[k * 8:k * 8 + 8] = x + T.Broadcast(A[k], 8)
