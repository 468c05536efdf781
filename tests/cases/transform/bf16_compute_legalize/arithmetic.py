# pass: tir.BF16ComputeLegalize
# an addition, a call, a comparison, conversions from and to other dtypes, and a copy that stays one
@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        if A[i] < B[i]:
            B[i] = A[i] + B[i]
        A[i] = T.sqrt(A[i] * A[i])
        C[i] = T.Cast("float32", A[i])
        B[i] = T.Cast("bfloat16", C[i])
        A[i] = B[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16"), C: T.Buffer((16,), "float32")):
    for i in range(16):
        if T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))) < T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", B[i])), T.uint32(16))):
            B[i] = T.reinterpret("bfloat16", T.Cast("uint16", T.shift_right(T.reinterpret("uint32", T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))) + T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", B[i])), T.uint32(16)))) + (T.bitwise_and(T.shift_right(T.reinterpret("uint32", T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))) + T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", B[i])), T.uint32(16)))), T.uint32(16)), T.uint32(1)) + T.uint32(32767)), T.uint32(16))))
        A[i] = T.reinterpret("bfloat16", T.Cast("uint16", T.shift_right(T.reinterpret("uint32", T.sqrt(T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))) * T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))))) + (T.bitwise_and(T.shift_right(T.reinterpret("uint32", T.sqrt(T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))) * T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))))), T.uint32(16)), T.uint32(1)) + T.uint32(32767)), T.uint32(16))))
        C[i] = T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16)))
        B[i] = T.reinterpret("bfloat16", T.Cast("uint16", T.shift_right(T.reinterpret("uint32", C[i]) + (T.bitwise_and(T.shift_right(T.reinterpret("uint32", C[i]), T.uint32(16)), T.uint32(1)) + T.uint32(32767)), T.uint32(16))))
        A[i] = B[i]
