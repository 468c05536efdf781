# pass: tir.InlinePrivateFunctions
# definitions of each copy are its own
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        Module.clear(A.data, 1)
        Module.clear(B.data, 2)

    @T.prim_func(private=True)
    def clear(a: T.handle("float32"), n: T.int32):
        A = T.decl_buffer((16,), data=a)
        for i in range(n):
            A[i] = T.float32(0)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        with T.decl_buffer((16,), data=A.data) as A_1:
            for i in range(1):
                A_1[i] = T.float32(0)
        A_1 = T.decl_buffer((16,), data=B.data)
        for i in range(2):
            A_1[i] = T.float32(0)
