# pass: tir.VectorizeLoop(max_lanes=8, is_lenient=True)
# differs from TVM: it has no max_lanes
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for j in T.vectorized(48):
        B[j] = A[j]
    for j in T.vectorized(13):
        B[j] = A[j] + T.float32(1)
    for j in T.vectorized(n):
        B[j] = A[j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for j_o in range(6):
        B[j_o * 8:j_o * 8 + 8] = A[j_o * 8:j_o * 8 + 8]
    for j in range(13):
        B[j] = A[j] + T.float32(1)
    for j in range(n):
        B[j] = A[j]
