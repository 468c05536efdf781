# pass: tir.InjectDoubleBuffer
# differs from TVM: it fails an assertion
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    D = T.decl_buffer((1,), "int32")
    for i in range(4):
        with T.attr(D.data, "double_buffer_scope", 1):
            D[0] = A[i]
        B[i] = D[0]
        D[0] = 2

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    D = T.decl_buffer((1,), "int32")
    for i in range(4):
        with T.attr(D.data, "double_buffer_scope", 1):
            D[0] = A[i]
        B[i] = D[0]
        D[0] = 2
