# pass: tir.UnrollLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(8):
        for j in T.unroll(4):
            B[i * 4 + j] = A[i * 4 + j]
    for i in T.unroll(0):
        B[i] = A[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(8):
        B[T.Add(i * 4, 0)] = A[T.Add(i * 4, 0)]
        B[i * 4 + 1] = A[i * 4 + 1]
        B[i * 4 + 2] = A[i * 4 + 2]
        B[i * 4 + 3] = A[i * 4 + 3]
