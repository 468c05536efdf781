# pass: tir.NarrowDataType(32)
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32"), B: T.Buffer((T.int64(128),), "int64")):
    for i in range(T.int64(128)):
        A[i] = A[i * T.int64(2) // T.int64(3)] + T.float32(1)
        B[i] = i * T.int64(2)
    for i in T.vectorized(T.int64(4)):
        A[i + T.int64(3)] = T.Cast("float32", i)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32"), B: T.Buffer((T.int64(128),), "int64")):
    for i in range(128):
        A[i] = A[i * 2 // 3] + T.float32(1)
        B[i] = T.Cast("int64", i * 2)
    for i in T.vectorized(4):
        A[i + 3] = T.Cast("float32", i)
