# from tvm.script import tir as T

@T.prim_func(private=True)
def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16, 16), "float16"), C: T.Buffer((16,), "float32"), x: T.int32):
    C[0:4] = A[0:4]
    C[0:8:2] = A[0:8:2]
    C[x:x + 4] = A[x:x + 4] + T.Broadcast(T.float32(1), 4)
    C[x * 4:x * 4 + 8:2] = T.Broadcast(A[x], 4)
    C[0:4] = T.Cast("float32x4", B[0, 0:4])
    B[x, 0:4] = T.Cast("float16x4", T.exp(A[0:4]))
    C[T.Ramp(x, x, 4)] = A[T.Ramp(x, x, 4)]
