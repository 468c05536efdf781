# pass: tir.InjectDoubleBuffer
@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    for i in range(100):
        B = T.decl_buffer([4], "float32", scope="shared")
        D = T.decl_buffer([8], "float32", scope="shared")
        with T.attr(B.data, "double_buffer_scope", 1):
            for j in range(4):
                B[j] = A[i * 4 + j]
        with T.attr(D.data, "double_buffer_scope", 1):
            for j in range(8):
                D[j] = A[i + j]
        for j in range(4):
            C[j] = B[j] + D[j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((400,), "float32"), C: T.Buffer((4,), "float32")):
    D = T.decl_buffer((16,), scope="shared")
    B = T.decl_buffer((8,), scope="shared")
    for j in range(4):
        B[T.Mul(0, 4) + j] = A[T.Mul(0, 4) + j]
    for j in range(8):
        D[T.Mul(0, 8) + j] = A[T.Add(0, j)]
    for i_outer in range(99):
        if i_outer + 1 < 100:
            T.attr(B.data, "double_buffer_write", 1)
            for j in range(4):
                B[(i_outer + 1) % 2 * 4 + j] = A[(i_outer + 1) * 4 + j]
        if i_outer + 1 < 100:
            T.attr(D.data, "double_buffer_write", 1)
            for j in range(8):
                D[(i_outer + 1) % 2 * 8 + j] = A[i_outer + 1 + j]
        for j in range(4):
            C[j] = B[i_outer % 2 * 4 + j] + D[i_outer % 2 * 8 + j]
    if T.bool(True):
        if T.Add(99, 1) < 100:
            for j in range(4):
                B[T.Add(99, 1) % 2 * 4 + j] = A[T.Add(99, 1) * 4 + j]
        if T.Add(99, 1) < 100:
            for j in range(8):
                D[T.Add(99, 1) % 2 * 8 + j] = A[T.Add(99, 1) + j]
        for j in range(4):
            C[j] = B[T.FloorMod(99, 2) * 4 + j] + D[T.FloorMod(99, 2) * 8 + j]
