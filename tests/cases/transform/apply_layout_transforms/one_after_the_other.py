# pass: tir.ApplyLayoutTransforms
# values: not compared: the parameter changes its shape
@T.prim_func
def main(A: T.Buffer((16, 64), "float32"), C: T.Buffer((16, 64), "float32")):
    T.func_attr({"layout_transform_map": {A: [T.index_map(lambda i, j: (i, j // 5, j % 5)), T.index_map(lambda a, b, c: (c, a, b))]}})
    for i, j in T.grid(16, 64):
        C[i, j] = A[i, j]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((5, 16, 13), "float32"), C: T.Buffer((16, 64), "float32")):
    for i, j in T.grid(16, 64):
        C[i, j] = A[T.Cast("int64", j) % T.int64(5), i, T.Cast("int64", j) // T.int64(5)]
