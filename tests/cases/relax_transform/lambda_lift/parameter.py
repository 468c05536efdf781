# pass: relax.LambdaLift
@I.ir_module
class Module:
    @R.function
    def param(f: R.Callable((R.Tensor((4,), "float32"),), R.Tensor((4,), "float32"), True), x: R.Tensor((4,), "float32")):
        y = f(x)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def param(f: R.Callable((R.Tensor((4,), dtype="float32"),), R.Tensor((4,), dtype="float32"), True), x: R.Tensor((4,), dtype="float32")) -> R.Tensor((4,), dtype="float32"):
        y: R.Tensor((4,), dtype="float32") = f(x)
        return y
