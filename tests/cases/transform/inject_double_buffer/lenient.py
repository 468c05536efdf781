# pass: tir.InjectDoubleBuffer(is_lenient=True)
# differs from TVM: it refuses what is filled outside of any loop
@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    D = T.decl_buffer((1,), "int32")
    with T.attr(D.data, "double_buffer_scope", 1):
        D[0] = A[0]
    B[0] = D[0]

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((4,), "int32"), B: T.Buffer((4,), "int32")):
    D = T.decl_buffer((1,), "int32")
    D[0] = A[0]
    B[0] = D[0]
