# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    for i in range(8):
        B_data = T.allocate((1,), "float32", "global")
        B = T.Buffer(shape=[1], dtype="float32", data=B_data)
        B[0] = T.float32(3.14)
        x: T.float32 = T.exp(B[0], dtype="float32")
        A[i] = (x + T.float32(1.0)) / (x - T.float32(2.0))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "float32")):
    B = T.allocate([1], "float32", "global")
    for i in range(8):
        B_1 = T.Buffer((1,), data=B)
        B_1[0] = T.float32(3.1400000000000001)
        x: T.float32 = T.exp(B_1[0])
        A[i] = (x + T.float32(1)) / (x - T.float32(2))
