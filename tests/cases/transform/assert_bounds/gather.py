# pass: tir.AssertBounds
# values: not compared: drawn indices may be negative
# differs from TVM: it has no such pass
@T.prim_func
def main(A: T.Buffer((16,), "float32"), I_1: T.Buffer((16,), "int32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        B[i] = A[I_1[i]]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16,), "float32"), I_1: T.Buffer((16,), "int32"), B: T.Buffer((16,), "float32")):
    for i in range(16):
        assert I_1[i] >= 0 and I_1[i] < 16, "<text>:4: buffer A of shape (16) has no element at index I_1[i] of dimension 0"
        B[i] = A[I_1[i]]
