# pass: tir.VectorizeLoop(is_lenient=True)
# differs from TVM: it refuses both loops
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in T.vectorized(n):
        A[i] = 3
    for i in T.vectorized(4):
        while B[i] < 3:
            B[i] = B[i] + 1

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(n):
        A[i] = 3
    for i_s in range(4):
        while B[i_s] < 3:
            B[i_s] = B[i_s] + 1
