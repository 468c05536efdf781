# pass: tir.VectorizeLoop
# differs from TVM: it adds one lane alone
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for j in T.vectorized(8):
        B[0] = B[0] + A[j]
        B[1] = A[7]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for j_s in range(8):
        B[0] = B[0] + A[j_s]
    B[1] = A[7]
