# pass: tir.InjectVirtualThread
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    with T.launch_thread("vthread", 4) as vx:
        S = T.allocate([4], "float32", "shared")
        R = T.allocate([4], "float32", "shared")
        U = T.allocate([4], "float32", "shared")
        S_1 = T.Buffer((4,), data=S, scope="shared")
        R_1 = T.Buffer((4,), data=R, scope="shared")
        U_1 = T.Buffer((4,), data=U, scope="shared")
        for i in range(4):
            R_1[i] = S_1[i]
            U_1[i] = A[i]
            S_1[i] = A[i] * T.Cast("float32", vx)
        for i in range(4):
            B[i + vx * 4] = R_1[i] + U_1[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    S_1 = T.allocate([16], "float32", "shared")
    R_1 = T.allocate([16], "float32", "shared")
    U_1 = T.allocate([4], "float32", "shared")
    R_1_1 = T.Buffer((16,), data=R_1, scope="shared")
    U_1_1 = T.Buffer((4,), data=U_1, scope="shared")
    for i in range(4):
        S_1_1 = T.Buffer((16,), data=S_1, scope="shared")
        R_1_1[T.Mul(0, 4) + i] = S_1_1[T.Mul(0, 4) + i]
        R_1_1[T.Mul(1, 4) + i] = S_1_1[T.Mul(1, 4) + i]
        R_1_1[T.Mul(2, 4) + i] = S_1_1[T.Mul(2, 4) + i]
        R_1_1[T.Mul(3, 4) + i] = S_1_1[T.Mul(3, 4) + i]
        U_1_1[i] = A[i]
        S_1_1[T.Mul(0, 4) + i] = A[i] * T.Cast("float32", 0)
        S_1_1[T.Mul(1, 4) + i] = A[i] * T.Cast("float32", 1)
        S_1_1[T.Mul(2, 4) + i] = A[i] * T.Cast("float32", 2)
        S_1_1[T.Mul(3, 4) + i] = A[i] * T.Cast("float32", 3)
    for i in range(4):
        B[i + T.Mul(0, 4)] = R_1_1[T.Mul(0, 4) + i] + U_1_1[i]
        B[i + T.Mul(1, 4)] = R_1_1[T.Mul(1, 4) + i] + U_1_1[i]
        B[i + T.Mul(2, 4)] = R_1_1[T.Mul(2, 4) + i] + U_1_1[i]
        B[i + T.Mul(3, 4)] = R_1_1[T.Mul(3, 4) + i] + U_1_1[i]
