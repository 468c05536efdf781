# pass: tir.FP8StorageLegalize
# differs from TVM: it fails on names and choices
# values: not compared: the parameter is a pointer
@T.prim_func
def main(a: T.handle("e4m3_float8"), n: T.int32):
    T.func_attr({"target": T.target("llvm")})
    A = T.decl_buffer((16,), "e4m3_float8", data=a)
    with T.LetStmt(A[0]) as v:
        A[1] = T.if_then_else(n < 3, v, A[2])

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.handle("uint8", "global"), n: T.int32):
    T.func_attr({"target": T.target({"keys": ["cpu"], "kind": "llvm", "tag": ""})})
    A_1 = T.decl_buffer((16,), "uint8", data=A)
    v: T.uint8 = A_1[0]
    A_1[1] = T.if_then_else(n < 3, v, A_1[2])
