# from tvm.script import ir as I
# from tvm.script import tir as T

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def helper(x: T.int32) -> T.int32:
        return x + 1

    @T.prim_func
    def zebra(A: T.Buffer((16,), "float32")):
        A[0] = T.float32(1)

    @T.prim_func
    def main(A: T.Buffer((16,), "float32"), x: T.int32):
        T.func_attr({"global_symbol": "main_kernel"})
        A[0] = T.float32(2)
