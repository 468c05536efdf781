# pass: tir.UnrollLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    with T.attr(0, "pragma_auto_unroll_max_step", 8):
        for i in range(4):
            B[i] = A[i] + T.float32(1)
    for i in range(4):
        B[i + 8] = A[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    B[0] = A[0] + T.float32(1)
    B[1] = A[1] + T.float32(1)
    B[2] = A[2] + T.float32(1)
    B[3] = A[3] + T.float32(1)
    for i in range(4):
        B[i + 8] = A[i]
