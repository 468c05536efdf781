# pass: tir.ConvertSSA
# not well formed: the variable has two definitions
# differs from TVM: it reads two variables
@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    x = T.int32()
    with T.LetStmt(1, var=x):
        A[0] = x
    with T.LetStmt(2, var=x):
        A[1] = x

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((8,), "int32")):
    with T.LetStmt(1) as x:
        A[0] = x
    x: T.int32 = 2
    A[1] = x
