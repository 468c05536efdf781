# pass: tir.InjectDoubleBuffer(split_loop=2)
# differs from TVM: TVM fills the first half although there may be no iteration
# values: not compared: n and the size of A are drawn apart
@T.prim_func
def main(a: T.handle, C: T.Buffer((4,), "float32"), n: T.int32):
    A = T.match_buffer(a, (n * 4,))
    for i in range(n):
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
def main(a: T.handle, C: T.Buffer((4,), "float32"), n: T.int32):
    A = T.match_buffer(a, (n * 4,))
    B_1 = T.allocate([8], "float32", "shared")
    if 0 < n:
        B_1_1 = T.Buffer((8,), data=B_1, scope="shared")
        for j in range(4):
            B_1_1[T.Mul(0, 4) + j] = A[T.Mul(0, 4) + j]
        for i_outer in range(T.Div(n - 1, 2)):
            if i_outer * 2 + 1 < n:
                T.attr(B_1, "double_buffer_write", 1)
                for j in range(4):
                    B_1_1[(i_outer * 2 + 1) % 2 * 4 + j] = A[(i_outer * 2 + 1) * 4 + j]
            for j in range(4):
                C[j] = B_1_1[i_outer * 2 % 2 * 4 + j] + T.float32(1)
            if i_outer * 2 + 1 + 1 < n:
                T.attr(B_1, "double_buffer_write", 1)
                for j in range(4):
                    B_1_1[(i_outer * 2 + 1 + 1) % 2 * 4 + j] = A[(i_outer * 2 + 1 + 1) * 4 + j]
            for j in range(4):
                C[j] = B_1_1[(i_outer * 2 + 1) % 2 * 4 + j] + T.float32(1)
        if T.Div(n - 1, 2) * 2 < n:
            if T.Div(n - 1, 2) * 2 + 1 < n:
                for j in range(4):
                    B_1_1[(T.Div(n - 1, 2) * 2 + 1) % 2 * 4 + j] = A[(T.Div(n - 1, 2) * 2 + 1) * 4 + j]
            for j in range(4):
                C[j] = B_1_1[T.Div(n - 1, 2) * 2 % 2 * 4 + j] + T.float32(1)
        if T.Div(n - 1, 2) * 2 + 1 < n:
            if T.Div(n - 1, 2) * 2 + 1 + 1 < n:
                for j in range(4):
                    B_1_1[(T.Div(n - 1, 2) * 2 + 1 + 1) % 2 * 4 + j] = A[(T.Div(n - 1, 2) * 2 + 1 + 1) * 4 + j]
            for j in range(4):
                C[j] = B_1_1[(T.Div(n - 1, 2) * 2 + 1) % 2 * 4 + j] + T.float32(1)
