# pass: relax.CanonicalizeBindings
# Of two outputs that are one value, the one that is used outside has its binding.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = a
            c = R.sin(b)
            R.output(a, b, c)
        return (b, c)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")):
        with R.dataflow():
            b: R.Tensor((2, 3), dtype="float32") = R.exp(x)
            c: R.Tensor((2, 3), dtype="float32") = R.sin(b)
            R.output(b, c)
        return (b, c)
