# pass: tir.UnrollLoop(simplifies=True)
# differs from TVM: the option is ours
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for i in range(4):
        for j in T.unroll(2):
            for k in T.unroll(3):
                if i * 2 + j < 7:
                    B[i * 6 + j * 3 + k] = A[k]
    for k in T.unroll(2):
        if B[0] < A[0]:
            B[k] = B[k] + T.float32(1)
    for k in T.unroll(2):
        if n < 3:
            B[k] = A[k]
        else:
            B[k + 2] = A[k]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for i in range(4):
        B[i * 6] = A[0]
        B[i * 6 + 1] = A[1]
        B[i * 6 + 2] = A[2]
        if i < 3:
            B[i * 6 + 3] = A[0]
            B[i * 6 + 4] = A[1]
            B[i * 6 + 5] = A[2]
    if B[0] < A[0]:
        B[0] = B[0] + T.float32(1)
    if B[0] < A[0]:
        B[1] = B[1] + T.float32(1)
    if n < 3:
        B[0] = A[0]
    else:
        B[2] = A[0]
    if n < 3:
        B[1] = A[1]
    else:
        B[3] = A[1]
