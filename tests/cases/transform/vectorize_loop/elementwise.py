# pass: tir.VectorizeLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.float32):
    for i in range(4):
        for j in T.vectorized(16):
            B[i * 16 + j] = T.max(A[i * 16 + j] * s + T.float32(1), T.exp(A[j + i * 16]))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), s: T.float32):
    for i in range(4):
        B[i * 16:i * 16 + 16] = T.max(A[i * 16:i * 16 + 16] * T.Broadcast(s, 16) + T.Broadcast(T.float32(1), 16), T.exp(A[i * 16:i * 16 + 16]))
