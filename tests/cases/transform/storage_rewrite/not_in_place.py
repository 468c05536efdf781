# pass: tir.StorageRewrite
# differs from TVM: it computes sums in place that are computed eight times
@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    turned = T.decl_buffer((64,))
    straight = T.decl_buffer((64,))
    summed = T.decl_buffer((64,))
    for i in range(64):
        straight[i] = A[i] + T.float32(1)
    for i in range(64):
        turned[i] = straight[63 - i]
    for i, j in T.grid(8, 8):
        summed[i] = turned[i] + T.Cast("float32", j)
    for i in range(64):
        B[i] = summed[i % 8]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    straight = T.decl_buffer((64,))
    turned = T.decl_buffer((64,))
    straight_1 = T.decl_buffer((64,), data=straight.data)
    for i in range(64):
        straight[i] = A[i] + T.float32(1)
    for i in range(64):
        turned[i] = straight[63 - i]
    for i, j in T.grid(8, 8):
        straight_1[i] = turned[i] + T.Cast("float32", j)
    for i in range(64):
        B[i] = straight_1[i % 8]
