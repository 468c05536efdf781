# pass: tir.BF16StorageLegalize
# differs from TVM: it fails on names and choices
# values: not compared: the parameter is a pointer
@T.prim_func
def main(a: T.handle("bfloat16"), n: T.int32):
    A = T.decl_buffer((16,), "bfloat16", data=a)
    with T.LetStmt(A[0]) as v:
        A[1] = T.if_then_else(n < 3, v, A[2])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.handle("uint16", "global"), n: T.int32):
    A_1 = T.decl_buffer((16,), "uint16", data=A)
    v: T.uint16 = A_1[0]
    A_1[1] = T.if_then_else(n < 3, v, A_1[2])
