# pass: tir.StorageRewrite
# differs from TVM: it moves the allocation out of the loop that its size depends on
@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    for i in range(16):
        B = T.allocate([i + 1], "float32", "global")
        B_1 = T.Buffer((i + 1,), data=B)
        for j in range(i + 1):
            B_1[j] = A[j]
        D[i] = B_1[i]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), D: T.Buffer((16,), "float32")):
    for i in range(16):
        B_1 = T.allocate([i + 1], "float32", "global")
        B_1_1 = T.Buffer((i + 1,), data=B_1)
        for j in range(i + 1):
            B_1_1[j] = A[j]
        D[i] = B_1_1[i]
