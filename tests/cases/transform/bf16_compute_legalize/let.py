# pass: tir.BF16ComputeLegalize
# differs from TVM: it fails on names for narrow floats
# values: not compared: what has a name is not rounded any more
@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16")):
    for i in range(16):
        with T.LetStmt(A[i] + B[i]) as v:
            B[i] = v - A[i]
    B[0:4] = A[4:8] * T.Broadcast(A[0], 4)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16")):
    for i in range(16):
        v: T.float32 = T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))) + T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", B[i])), T.uint32(16)))
        B[i] = T.reinterpret("bfloat16", T.Cast("uint16", T.shift_right(T.reinterpret("uint32", v - T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16)))) + (T.bitwise_and(T.shift_right(T.reinterpret("uint32", v - T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16)))), T.uint32(16)), T.uint32(1)) + T.uint32(32767)), T.uint32(16))))
    B[0:4] = T.reinterpret("bfloat16x4", T.Cast("uint16x4", T.shift_right(T.reinterpret("uint32x4", T.reinterpret("float32x4", T.shift_left(T.Cast("uint32x4", T.reinterpret("uint16x4", A[4:8])), T.Broadcast(T.uint32(16), 4))) * T.Broadcast(T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[0])), T.uint32(16))), 4)) + (T.bitwise_and(T.shift_right(T.reinterpret("uint32x4", T.reinterpret("float32x4", T.shift_left(T.Cast("uint32x4", T.reinterpret("uint16x4", A[4:8])), T.Broadcast(T.uint32(16), 4))) * T.Broadcast(T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[0])), T.uint32(16))), 4)), T.Broadcast(T.uint32(16), 4)), T.Broadcast(T.uint32(1), 4)) + T.Broadcast(T.uint32(32767), 4)), T.Broadcast(T.uint32(16), 4))))
