# pass: tir.Simplify
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(4):
        B[T.Ramp(i * 8 + 8, 1, 4) - T.Broadcast(8, 4)] = A[T.Ramp(i * 4, 1, 4) + T.Broadcast(i * 4, 4)]
        B[T.Ramp(i * 8, 2, 4) // T.Broadcast(2, 4)] = A[T.Ramp(i * 4, 1, 4) % T.Broadcast(4, 4)]
        B[T.Ramp(i * 4, 1, 4)] = T.Broadcast(T.Cast("float32", i * 4 % 2), 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in range(4):
        B[i * 8:i * 8 + 4] = A[i * 8:i * 8 + 4]
        B[i * 4:i * 4 + 4] = A[0:4]
        B[i * 4:i * 4 + 4] = T.Broadcast(T.float32(0), 4)
