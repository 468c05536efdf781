# pass: tir.NarrowDataType(32)
# sizes that nobody knows, and products that need 33 bits: all that is in one expression with them stays wide
@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32"), n: T.int64):
    for i in range(T.min(n, T.int64(128))):
        A[i] = T.float32(1)
    for i in range(T.int64(128)):
        A[i * T.int64(33554432) // T.int64(33554432)] = T.float32(2)
    for i in range(T.int64(64)):
        if i + T.int64(1) < n:
            A[i + T.int64(1)] = T.float32(3)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((T.int64(128),), "float32"), n: T.int64):
    for i in range(T.Cast("int32", T.min(n, T.int64(128)))):
        A[i] = T.float32(1)
    for i in range(T.int64(128)):
        A[i * T.int64(33554432) // T.int64(33554432)] = T.float32(2)
    for i in range(64):
        if T.Cast("int64", i + 1) < n:
            A[i + 1] = T.float32(3)
