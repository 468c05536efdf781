# pass: relax.DeadCodeElimination
# Plain blocks on both sides of an unused dataflow block become one.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        a = R.exp(x)
        with R.dataflow():
            b = R.sin(x)
            R.output(b)
        c = R.cos(a)
        return c

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        a: R.Tensor((2, 3), dtype="float32") = R.exp(x)
        c: R.Tensor((2, 3), dtype="float32") = R.cos(a)
        return c
