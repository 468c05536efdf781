# pass: tir.UnrollLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.unroll(2):
        for j in range(16):
            x: T.float32 = A[i * 16 + j]
            B[i * 16 + j] = x * x

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for j in range(16):
        x: T.float32 = A[T.Mul(0, 16) + j]
        B[T.Mul(0, 16) + j] = x * x
    for j in range(16):
        x: T.float32 = A[T.Mul(1, 16) + j]
        B[T.Mul(1, 16) + j] = x * x
