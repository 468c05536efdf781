# pass: relax.NormalizeGlobalVar
# not well formed: the pass repairs names
@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.exp(x)
    @R.function(private=True)
    def g(x: R.Tensor((4,), "float32")) -> R.Tensor((4,), "float32"):
        return R.sin(x)
    @T.prim_func
    def k(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        T.func_attr({"global_symbol": "kernel"})
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                B[vi] = A[vi]
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "f"})
        cls = Module
        y = cls.f(x)
        y1 = cls.g(y)
        z = R.call_tir(cls.k, (y1,), out_sinfo=R.Tensor((4,), "float32"))
        return z

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func
    def kernel(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "float32")):
        # with T.block("root"):
        for i in range(4):
            with T.block("b"):
                vi = T.axis.spatial(4, i)
                T.reads(A[vi])
                T.writes(B[vi])
                B[vi] = A[vi]

    @R.function
    def f(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y: R.Tensor((4,), dtype="float32") = cls.f1(x)
        y1: R.Tensor((4,), dtype="float32") = cls.g(y)
        z = R.call_tir(cls.kernel, (y1,), out_sinfo=R.Tensor((4,), dtype="float32"))
        return z

    @R.function(private=True)
    def f1(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        gv: R.Tensor((4,), dtype="float32") = R.exp(x)
        return gv

    @R.function(private=True)
    def g(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        gv: R.Tensor((4,), dtype="float32") = R.sin(x)
        return gv
