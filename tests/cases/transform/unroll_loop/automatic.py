# pass: tir.UnrollLoop(auto_max_step=16, auto_max_depth=2)
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(4):
        for j in range(2):
            B[i * 2 + j] = A[i]
    for i in range(17):
        B[i] = A[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    B[T.Add(T.Mul(0, 2), 0)] = A[0]
    B[T.Mul(0, 2) + 1] = A[0]
    B[T.Add(T.Mul(1, 2), 0)] = A[1]
    B[T.Mul(1, 2) + 1] = A[1]
    B[T.Add(T.Mul(2, 2), 0)] = A[2]
    B[T.Mul(2, 2) + 1] = A[2]
    B[T.Add(T.Mul(3, 2), 0)] = A[3]
    B[T.Mul(3, 2) + 1] = A[3]
    for i in range(17):
        B[i] = A[i]
