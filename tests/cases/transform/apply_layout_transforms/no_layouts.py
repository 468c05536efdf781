# pass: tir.ApplyLayoutTransforms
@T.prim_func
def main(A: T.Buffer((16, 64), "float32")):
    for i, j in T.grid(16, 64):
        A[i, j] = T.float32(0)

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 64), "float32")):
    for i, j in T.grid(16, 64):
        A[i, j] = T.float32(0)
