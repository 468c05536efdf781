# pass: tir.BF16ComputeLegalize
# W is of constant size and only loaded and stored: it becomes float32; V is given away and stays
# values: not compared: the interpreter has no external functions
@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16")):
    W = T.decl_buffer((16,), "bfloat16")
    V = T.decl_buffer((16,), "bfloat16")
    T.evaluate(T.call_extern("int32", "fill", V.data))
    for i in range(16):
        W[i] = A[i] + B[i]
        B[i] = W[i] * V[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "bfloat16"), B: T.Buffer((16,), "bfloat16")):
    W = T.decl_buffer((16,))
    V = T.decl_buffer((16,), "bfloat16")
    T.call_extern("int32", "fill", V.data)
    for i in range(16):
        W[i] = T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", A[i])), T.uint32(16))) + T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", B[i])), T.uint32(16)))
        B[i] = T.reinterpret("bfloat16", T.Cast("uint16", T.shift_right(T.reinterpret("uint32", W[i] * T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", V[i])), T.uint32(16)))) + (T.bitwise_and(T.shift_right(T.reinterpret("uint32", W[i] * T.reinterpret("float32", T.shift_left(T.Cast("uint32", T.reinterpret("uint16", V[i])), T.uint32(16)))), T.uint32(16)), T.uint32(1)) + T.uint32(32767)), T.uint32(16))))
