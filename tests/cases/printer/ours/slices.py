# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32"), x: T.int32):
    A[T.Ramp(3, -1, 4)] = B[0:4]
    A[0:8:2] = B[T.Ramp(x, x, 4)]
    y = T.float32x4()
    A[0:4] = T.Let(y * y, where={y: B[4:8]})
