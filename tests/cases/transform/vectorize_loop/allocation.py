# pass: tir.VectorizeLoop
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    for j in T.vectorized(8):
        D = T.allocate([4], "float32", "global")
        E = T.Buffer((4,), "float32", data=D)
        for k in range(4):
            E[k] = A[j * 4 + k]
        B[j] = E[0] + E[3]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    E = T.allocate([32], "float32", "global")
    E_1 = T.Buffer((32,), data=E)
    for k in range(4):
        E_1[k * 8:k * 8 + 8] = A[k:k + 32:4]
    B[0:8] = E_1[0:8] + E_1[24:32]
