# pass: tir.LowerOpaqueBlock
@T.prim_func
def main(A: T.Buffer((30,), "float32"), B: T.Buffer((30,), "float32")):
    for i, u in T.grid(8, 1):
        for j, v in T.grid(4, 1):
            with T.block("B"):
                T.where(i * 4 + j < 30)
                T.reads(A[i * 4 + j + u])
                T.writes(B[i * 4 + j])
                B[i * 4 + j + v] = A[i * 4 + j + u]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((30,), "float32"), B: T.Buffer((30,), "float32")):
    for i, j in T.grid(8, 4):
        if i * 4 + j < 30:
            B[T.Add(i * 4 + j, 0)] = A[T.Add(i * 4 + j, 0)]
