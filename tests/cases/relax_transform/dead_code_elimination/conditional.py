# pass: relax.DeadCodeElimination
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), "float32"), c: R.Tensor((), "bool")):
        a = R.exp(x)
        if c:
            b = R.add(a, a)
            r = b
        else:
            r = R.exp(a)
        y = R.add(a, a)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((4,), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((4,), dtype="float32"):
        a: R.Tensor((4,), dtype="float32") = R.exp(x)
        y: R.Tensor((4,), dtype="float32") = R.add(a, a)
        return y
