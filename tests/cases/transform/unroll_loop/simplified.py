# pass: tir.UnrollLoop(simplifies=True)
# differs from TVM: the option is ours
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(2):
        for j in T.unroll(3):
            if i * 3 + j < 5:
                B[i * 12 + j * 4] = A[j * 5 + i + 1] + T.if_then_else(j < 2, A[(j + 1) * 3], T.float32(0))
            if j // 2 == 0:
                A[j % 2 + 7] = B[j]
    for j in T.unroll(2):
        A[j + 32] = T.Cast("float32", j * 3)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(2):
        B[i * 12] = A[i + 1] + A[3]
        A[7] = B[0]
        B[i * 12 + 4] = A[i + 6] + A[6]
        A[8] = B[1]
        if i < 1:
            B[i * 12 + 8] = T.Add(A[i + 11], T.float32(0))
    A[32] = T.float32(0)
    A[33] = T.float32(3)
