# pass: tir.InlinePrivateFunctions
# differs from TVM: it refuses them
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        Module.first(T.address_of(A[2]), 5)

    @T.prim_func(private=True)
    def first(a: T.handle("float32"), n: T.int32):
        A = T.Buffer((n,), data=a)
        A[n - 1] = T.float32(n)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        A_1: T.handle("float32", "global") = T.address_of(A[2])
        A_2 = T.Buffer((5,), data=A_1)
        A_2[4] = T.Cast("float32", 5)
