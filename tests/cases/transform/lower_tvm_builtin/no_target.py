# pass: tir.LowerTVMBuiltin
@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    B = T.allocate([1024], "float32", "global")
    T.evaluate(T.isnullptr(B))

# after
# from tvm.script import tir as T

@T.prim_func
def main(A: T.Buffer((16, 4), "float32"), n: T.int32):
    B = T.allocate([1024], "float32", "global")
    T.isnullptr(B)
