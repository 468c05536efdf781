# pass: tir.RenormalizeSplitPattern
@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        A[i * 4:i * 4 + 4] = (T.Ramp(n, 1, 4) * T.Broadcast(16, 4) + T.Ramp(0, 1, 4)) // T.Broadcast(32, 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32"), n: T.int32):
    for i in range(4):
        A[i * 4:i * 4 + 4] = (T.Ramp(n, 1, 4) * T.Broadcast(1, 4) + T.Ramp(0, 1, 4) // T.Broadcast(16, 4)) // T.Broadcast(2, 4)
