# pass: tir.Simplify(propagate_knowns_to_prove_conditional=True)
# differs from TVM: it forgets that 0.1 is rounded to float16
# values: not compared: nothing tells the sizes
# not well formed: only n * 32 is known to be a size, as in a test of TVM
# Constants of floats are converted; sizes of shapes bound their symbols; elements that were stored with another
# spelling of the index are known.
@T.prim_func
def main(a: T.handle, b: T.handle, C: T.Buffer((16,), "int32"), D: T.Buffer((4,), "float32"), E: T.Buffer((4,), "bfloat16")):
    n = T.int64()
    m = T.int64()
    A = T.match_buffer(a, (n * T.int64(32),), "float32")
    B = T.match_buffer(b, (m * T.int64(32) + T.int64(1) - T.int64(2),), "float32")
    A[T.min(T.int64(0), n)] = T.float32(0)
    B[T.min(T.int64(1), m)] = T.float32(0)
    B[T.min(T.int64(2), m)] = T.float32(0)
    for i, j in T.grid(4, 4):
        C[4 * i + j] = 0
    for k in range(16):
        if C[k] == 0:
            C[k] = 3
    D[0] = T.Cast("float32", T.float64(4))
    D[1] = T.Cast("float32", T.Cast("float16", T.float32(0.1)))
    D[2] = T.Cast("float32", T.Cast("int32", T.float32(-2.5)))
    D[3] = T.Cast("float32", T.Cast("int8", T.float32(300)))
    E[0] = T.Cast("bfloat16", T.float32(1.5))
    E[1] = T.Cast("bfloat16", T.float32(0.1))

# after
# from tvm.script import tir as T

@T.prim_func
def main(a: T.handle, b: T.handle, C: T.Buffer((16,), "int32"), D: T.Buffer((4,), "float32"), E: T.Buffer((4,), "bfloat16")):
    n = T.int64()
    A = T.match_buffer(a, (n * T.int64(32),))
    m = T.int64()
    B = T.match_buffer(b, (m * T.int64(32) + T.int64(1) - T.int64(2),))
    A[T.int64(0)] = T.float32(0)
    B[T.int64(1)] = T.float32(0)
    B[T.min(T.int64(2), m)] = T.float32(0)
    for i, j in T.grid(4, 4):
        C[i * 4 + j] = 0
    for k in range(16):
        C[k] = 3
    D[0] = T.float32(4)
    D[1] = T.float32(0.0999755859375)
    D[2] = T.float32(-2)
    D[3] = T.Cast("float32", T.Cast("int8", T.float32(300)))
    E[0] = T.bfloat16(1.5)
    E[1] = T.Cast("bfloat16", T.float32(0.10000000000000001))
