@T.prim_func
def main(A: T.Buffer((4, 16), "float32"), B: T.Buffer((4, 16), "float32")):
    A_1 = T.decl_buffer((64,), data=A.data)
    B_1 = T.decl_buffer((64,), data=B.data)
    for i in range(4):
        C = T.decl_buffer((16,), scope="local")
        C[0:16] = A_1[i * 16:i * 16 + 16]
        for j in range(16):
            x: T.float32 = C[j] * T.float32(2)
            y: T.float32 = x + T.exp(x) * T.float32(0.25)
            B_1[i * 16 + j] = T.if_then_else(j < 8, y, T.Select(x > T.float32(1), x, y))
