# pass: tir.InjectDoubleBuffer
@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    for k in range(2):
        for i in range(100):
            B = T.allocate([4], "float32", "shared")
            B_1 = T.Buffer((4,), data=B, scope="shared")
            with T.attr(B, "double_buffer_scope", 1):
                for j in range(4):
                    B_1[j] = A[i * 4 + j]
            for j in range(4):
                C[j] = B_1[j] + T.Cast("float32", k)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    for k in range(2):
        B_1 = T.allocate([8], "float32", "shared")
        B_1_1 = T.Buffer((8,), data=B_1, scope="shared")
        for j in range(4):
            B_1_1[T.Mul(0, 4) + j] = A[T.Mul(0, 4) + j]
        for i_outer in range(99):
            if i_outer + 1 < 100:
                T.attr(B_1, "double_buffer_write", 1)
                for j in range(4):
                    B_1_1[(i_outer + 1) % 2 * 4 + j] = A[(i_outer + 1) * 4 + j]
            for j in range(4):
                C[j] = B_1_1[i_outer % 2 * 4 + j] + T.Cast("float32", k)
        if T.bool(True):
            if T.Add(99, 1) < 100:
                for j in range(4):
                    B_1_1[T.Add(99, 1) % 2 * 4 + j] = A[T.Add(99, 1) * 4 + j]
            for j in range(4):
                C[j] = B_1_1[T.FloorMod(99, 2) * 4 + j] + T.Cast("float32", k)
