# pass: tir.AssertBounds
# values: not compared: drawn indices may be negative
# differs from TVM: it has no such pass
# What is not evaluated is not checked: a lazy condition is part of the assertion.
@T.prim_func
def main(A: T.Buffer((16,), "float32"), I_1: T.Buffer((16,), "int32"), B: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        if i < n:
            B[i] = T.if_then_else(I_1[i] >= 0, A[I_1[i]], T.float32(0))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), I_1: T.Buffer((16,), "int32"), B: T.Buffer((16,), "float32"), n: T.int32):
    for i in range(16):
        if i < n:
            assert I_1[i] < 0 or I_1[i] >= 0 and I_1[i] < 16, "<text>:5: buffer A of shape (16) has no element at index I_1[i] of dimension 0"
            B[i] = T.if_then_else(I_1[i] >= 0, A[I_1[i]], T.float32(0))
