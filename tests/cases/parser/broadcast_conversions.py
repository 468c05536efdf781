@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0:8] = T.Broadcast(1, 8)
    A[0:8] = T.broadcast(n, 8)
    A[0:4] = T.cast(T.Broadcast(n, 4), "float32x4")
    A[0:4] = T.Cast("float32x4", T.Broadcast(n, 4))
    A[0:4] = T.Ramp(n, 1, 4)
    A[T.Ramp(0, 2, 4 * T.vscale())] = T.Broadcast(n, T.vscale() * 4)

# output
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), n: T.int32):
    A[0:8] = T.Broadcast(T.float32(1), 8)
    A[0:8] = T.Broadcast(T.Cast("float32", n), 8)
    A[0:4] = T.Broadcast(T.Cast("float32", n), 4)
    A[0:4] = T.Cast("float32x4", T.Broadcast(n, 4))
    A[0:4] = T.Cast("float32x4", T.Ramp(n, 1, 4))
    A[0:T.vscale() * 4 * 2:2] = T.Broadcast(T.Cast("float32", n), T.vscale() * 4)
