# pass: tir.FP8ComputeLegalize("float16")
@T.prim_func
def main(A: T.Buffer((16,), "e5m2_float8"), B: T.Buffer((16,), "e5m2_float8")):
    T.func_attr({"target": T.target("llvm")})
    for i in range(16):
        B[i] = A[i] + B[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "e5m2_float8"), B: T.Buffer((16,), "e5m2_float8")):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    for i in range(16):
        B[i] = T.reinterpret("e5m2_float8", T.Cast("uint8", T.shift_right(T.reinterpret("uint16", T.reinterpret("float16", T.shift_left(T.Cast("uint16", T.reinterpret("uint8", A[i])), T.uint16(8))) + T.reinterpret("float16", T.shift_left(T.Cast("uint16", T.reinterpret("uint8", B[i])), T.uint16(8)))) + (T.bitwise_and(T.shift_right(T.reinterpret("uint16", T.reinterpret("float16", T.shift_left(T.Cast("uint16", T.reinterpret("uint8", A[i])), T.uint16(8))) + T.reinterpret("float16", T.shift_left(T.Cast("uint16", T.reinterpret("uint8", B[i])), T.uint16(8)))), T.uint16(8)), T.uint16(1)) + T.uint16(127)), T.uint16(8))))
