# pass: tir.NarrowDataType(32)
# differs from TVM: 0.17 leaves conversions from int32 to int32
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32"), C: T.Buffer((T.int64(128),), "int32"), B: T.Buffer((T.int64(128),), "int64")):
    for i in range(100):
        A[T.Cast("int64", i)] = A[T.Cast("int64", i) + T.int64(1)]
        A[T.Cast("int64", C[T.Cast("int64", i)]) % T.int64(128)] = T.float32(0)
        B[T.Cast("int64", i)] = T.Cast("int64", i) * T.int64(3)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32"), C: T.Buffer((T.int64(128),), "int32"), B: T.Buffer((T.int64(128),), "int64")):
    for i in range(100):
        A[i] = A[i + 1]
        A[C[i] % 128] = T.float32(0)
        B[i] = T.Cast("int64", i) * T.int64(3)
