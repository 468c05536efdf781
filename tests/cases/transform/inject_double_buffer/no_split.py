# pass: tir.InjectDoubleBuffer(split_loop=0)
@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(100):
        B = T.allocate([4], "float32", "shared")
        B_1 = T.Buffer((4,), data=B, scope="shared")
        with T.attr(B, "double_buffer_scope", 1):
            for j in range(4):
                B_1[j] = A[i * 4 + j]
        for j in range(4):
            C[j] = B_1[j] + T.float32(1)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    B_1 = T.allocate([8], "float32", "shared")
    B_1_1 = T.Buffer((8,), data=B_1, scope="shared")
    for j in range(4):
        B_1_1[T.Mul(0, 4) + j] = A[T.Mul(0, 4) + j]
    for i in range(100):
        if i + 1 < 100:
            T.attr(B_1, "double_buffer_write", 1)
            for j in range(4):
                B_1_1[(i + 1) % 2 * 4 + j] = A[(i + 1) * 4 + j]
        for j in range(4):
            C[j] = B_1_1[i % 2 * 4 + j] + T.float32(1)
