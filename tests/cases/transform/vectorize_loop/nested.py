# pass: tir.VectorizeLoop
# differs from TVM: it refuses it, a vector as the first index
@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i in T.vectorized(2):
        for j in T.vectorized(4):
            B[0, j] = A[i, 0] + j

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4, 4), "int32"), B: T.Buffer((4, 4), "int32")):
    for i_s in range(2):
        B[0, 0:4] = T.Ramp(A[i_s, 0], 1, 4)
