# pass: tir.StorageRewrite
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for p in T.parallel(8):
        for q in range(1):
            a = T.allocate([8], "float32", "global")
            b = T.allocate([8], "float32", "global")
            c = T.allocate([8], "float32", "global")
            a_1 = T.Buffer((8,), data=a)
            b_1 = T.Buffer((8,), data=b)
            c_1 = T.Buffer((8,), data=c)
            for i in range(8):
                a_1[i] = A[i + p * 8] + T.float32(1)
            for i in range(8):
                b_1[i] = a_1[7 - i] * T.float32(2)
            for i in range(8):
                c_1[i] = b_1[7 - i] * T.float32(2)
            for i in range(8):
                B[i + p * 8] = c_1[7 - i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for p in T.parallel(8):
        a_1 = T.allocate([8], "float32", "global")
        b_1 = T.allocate([8], "float32", "global")
        for q in range(1):
            a_1_1 = T.Buffer((8,), data=a_1)
            for i in range(8):
                a_1_1[i] = A[i + p * 8] + T.float32(1)
            b_1_1 = T.Buffer((8,), data=b_1)
            for i in range(8):
                b_1_1[i] = a_1_1[7 - i] * T.float32(2)
            a_1_2 = T.Buffer((8,), data=a_1)
            for i in range(8):
                a_1_2[i] = b_1_1[7 - i] * T.float32(2)
            for i in range(8):
                B[i + p * 8] = a_1_2[7 - i]
