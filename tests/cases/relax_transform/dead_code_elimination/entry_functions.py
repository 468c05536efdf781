# pass: relax.DeadCodeElimination(["f"])
@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4, 8), "float32")):
        gv = R.exp(x)
        return gv

    @R.function(private=True)
    def g(x: R.Tensor((4, 8), "float32")):
        gv = R.exp(x)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function(private=True)
    def f(x: R.Tensor((4, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        gv: R.Tensor((4, 8), dtype="float32") = R.exp(x)
        return gv
