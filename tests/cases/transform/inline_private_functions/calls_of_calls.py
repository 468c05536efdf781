# pass: tir.InlinePrivateFunctions
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        Module.outer(A.data, 1)

    @T.prim_func(private=True)
    def outer(a: T.handle("float32"), n: T.int32):
        Module.inner(a, n)
        Module.inner(a, n + 1)

    @T.prim_func(private=True)
    def inner(a: T.handle("float32"), n: T.int32):
        A = T.decl_buffer((16,), data=a)
        A[n] = T.float32(0)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32")):
        with T.decl_buffer((16,), data=A.data) as A_1:
            A_1[1] = T.float32(0)
        A_1 = T.decl_buffer((16,), data=A.data)
        A_1[2] = T.float32(0)
