# pass: tir.ApplyLayoutTransforms
# differs from TVM: facts about the buffer are about the one before
# values: not compared: regions of tensor expressions do not run, and the parameter changes its shape
@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), C: T.Buffer((16, 64), "float32")):
    B = T.Buffer((16, 64))
    T.func_attr({"layout_transform_map": {A: [T.index_map(lambda i, j: (j // 4, i, j % 4))], B: [T.index_map(lambda i, j: (i * 64 + j,))]}})
    with T.realize(B[0:16, 0:64], "global"):
        for i, j in T.grid(16, 64):
            B[i, j] = A[i, j] * T.float32(2)
        for i, j in T.grid(16, 64):
            C[i, j] = B[i, j] + A[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 16, 4), "float32"), C: T.Buffer((16, 64), "float32")):
    B = T.Buffer((1024,))
    T.realize(B[0:1024], "global")
    for i, j in T.grid(16, 64):
        B[T.Cast("int64", i) * T.int64(64) + T.Cast("int64", j)] = A[T.Cast("int64", j) // T.int64(4), i, T.Cast("int64", j) % T.int64(4)] * T.float32(2)
    for i, j in T.grid(16, 64):
        C[i, j] = B[T.Cast("int64", i) * T.int64(64) + T.Cast("int64", j)] + A[T.Cast("int64", j) // T.int64(4), i, T.Cast("int64", j) % T.int64(4)]
