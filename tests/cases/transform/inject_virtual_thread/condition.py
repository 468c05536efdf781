# pass: tir.InjectVirtualThread
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    with T.launch_thread("vthread", 2) as vx:
        for i in range(8):
            if vx * 8 + i < n:
                B[vx * 8 + i] = A[vx * 8 + i]
            else:
                B[vx * 8 + i] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), n: T.int32):
    for i in range(8):
        if T.Mul(0, 8) + i < n:
            B[T.Mul(0, 8) + i] = A[T.Mul(0, 8) + i]
        else:
            B[T.Mul(0, 8) + i] = T.float32(0)
        if T.Mul(1, 8) + i < n:
            B[T.Mul(1, 8) + i] = A[T.Mul(1, 8) + i]
        else:
            B[T.Mul(1, 8) + i] = T.float32(0)
