# pass: tir.VectorizeLoop
# differs from TVM: casts of consecutive integers are ramps at once, there after Simplify
@T.prim_func
def main(A: T.Buffer((64,), "float16"), B: T.Buffer((64,), "int64")):
    for j in range(T.int64(8)):
        for i in T.vectorized(8):
            A[j * T.int64(8) + T.Cast("int64", i)] = A[j * T.int64(8) + T.Cast("int64", i)] + T.Cast("float16", i)
            B[j * T.int64(8) + T.Cast("int64", i)] = T.Cast("int64", i * 2)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float16"), B: T.Buffer((64,), "int64")):
    for j in range(T.int64(8)):
        A[j * T.int64(8):j * T.int64(8) + T.int64(8)] = A[j * T.int64(8):j * T.int64(8) + T.int64(8)] + T.Cast("float16x8", T.Ramp(0, 1, 8))
        B[j * T.int64(8):j * T.int64(8) + T.int64(8)] = T.Ramp(T.int64(0), T.int64(2), 8)
