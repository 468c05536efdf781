# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    a = T.allocate([64], "float32", "global")
    b = T.allocate([64], "float16", "global")
    c = T.allocate([64], "int32", "global")
    d = T.allocate([32], "int16", "global")
    a_1 = T.Buffer((64,), data=a)
    b_1 = T.Buffer((64,), "float16", data=b)
    c_1 = T.Buffer((64,), "int32", data=c)
    d_1 = T.Buffer((32,), "int16", data=d)
    for i in range(64):
        a_1[i] = A[i] + T.float32(1)
    for i in range(64):
        b_1[i] = T.Cast("float16", a_1[63 - i])
    for i in range(64):
        c_1[i] = T.Cast("int32", b_1[63 - i] * T.float16(8))
    for i in range(32):
        d_1[i] = T.Cast("int16", c_1[63 - i])
    for i in range(32):
        B[i] = T.Cast("float32", d_1[31 - i])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    a_1 = T.allocate([64], "float32", "global")
    b_1 = T.allocate([64], "float16", "global")
    a_1_1 = T.Buffer((64,), data=a_1)
    for i in range(64):
        a_1_1[i] = A[i] + T.float32(1)
    b_1_1 = T.Buffer((64,), "float16", data=b_1)
    for i in range(64):
        b_1_1[i] = T.Cast("float16", a_1_1[63 - i])
    a_1_2 = T.Buffer((64,), "int32", data=a_1)
    for i in range(64):
        a_1_2[i] = T.Cast("int32", b_1_1[63 - i] * T.float16(8))
    b_1_2 = T.Buffer((32,), "int16", data=b_1)
    for i in range(32):
        b_1_2[i] = T.Cast("int16", a_1_2[63 - i])
    for i in range(32):
        B[i] = T.Cast("float32", b_1_2[31 - i])
