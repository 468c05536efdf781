# pass: tir.InjectVirtualThread
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    with T.launch_thread("vthread", 2) as vx:
        S = T.allocate([8], "float32", "shared")
        S_1 = T.Buffer((8,), data=S, scope="shared")
        for i in range(8):
            S_1[i] = A[i]
        for i in range(8):
            B[vx * 8 + i] = S_1[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    S_1 = T.allocate([8], "float32", "shared")
    S_1_1 = T.Buffer((8,), data=S_1, scope="shared")
    for i in range(8):
        S_1_1[i] = A[i]
    for i in range(8):
        B[T.Mul(0, 8) + i] = S_1_1[i]
        B[T.Mul(1, 8) + i] = S_1_1[i]
