# pass: tir.UnrollLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for i in T.unroll(2):
        C = T.allocate([i + 1], "float32", "global")
        C_1 = T.Buffer((i + 1,), data=C)
        for j in range(i + 1):
            C_1[j] = A[j]
        B[i] = C_1[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    with T.allocate([T.Add(0, 1)], "float32", "global") as C_1:
        C_1_1 = T.Buffer((T.Add(0, 1),), data=C_1)
        for j in range(T.Add(0, 1)):
            C_1_1[j] = A[j]
        B[0] = C_1_1[0]
    C_1 = T.allocate([T.Add(1, 1)], "float32", "global")
    C_1_1 = T.Buffer((T.Add(1, 1),), data=C_1)
    for j in range(T.Add(1, 1)):
        C_1_1[j] = A[j]
    B[1] = C_1_1[1]
