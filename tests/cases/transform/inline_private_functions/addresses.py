# pass: tir.InlinePrivateFunctions
@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(16):
            Module.copy(T.address_of(A[i]), T.address_of(B[i]))

    @T.prim_func(private=True)
    def copy(a: T.handle("float32"), b: T.handle("float32")):
        A = T.decl_buffer((1,), data=a)
        B = T.decl_buffer((1,), data=b)
        B[0] = A[0]

# after
# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), B: T.Buffer((16,), "float32")):
        for i in range(16):
            A_1: T.handle("float32", "global") = T.address_of(A[i])
            A_2 = T.decl_buffer((1,), data=A_1)
            B_1: T.handle("float32", "global") = T.address_of(B[i])
            B_2 = T.decl_buffer((1,), data=B_1)
            B_2[0] = A_2[0]
