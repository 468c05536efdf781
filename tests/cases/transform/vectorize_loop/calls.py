# pass: tir.VectorizeLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for j in T.vectorized(8):
        B[j] = T.tanh(A[j]) + T.log1p(A[j])
    for j in T.vectorized(8):
        B[j + 8] = T.if_then_else(j < 4, A[j], T.float32(0))
    for j in T.vectorized(8):
        B[j + 16] = T.sqrt(A[j]) + T.sigmoid(A[j])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for j_s in range(8):
        B[j_s] = T.tanh(A[j_s]) + T.log1p(A[j_s])
    for j_s in range(8):
        B[j_s + 8] = T.if_then_else(j_s < 4, A[j_s], T.float32(0))
    B[16:24] = T.sqrt(A[0:8]) + T.sigmoid(A[0:8])
