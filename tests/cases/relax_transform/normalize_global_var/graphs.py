# pass: relax.NormalizeGlobalVar
# not well formed: the pass repairs names
@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4,), "float32")):
        return R.exp(x)
    @R.function
    def main(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "f"})
        cls = Module
        y = cls.f(x)
        return y
    @R.function
    def other(x: R.Tensor((4,), "float32")):
        R.func_attr({"global_symbol": "g"})
        cls = Module
        y = cls.main(x)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y: R.Tensor((4,), dtype="float32") = cls.f1(x)
        return y

    @R.function(private=True)
    def f1(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        gv: R.Tensor((4,), dtype="float32") = R.exp(x)
        return gv

    @R.function
    def g(x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        cls = Module
        y: R.Tensor((4,), dtype="float32") = cls.f(x)
        return y
