# pass: relax.CanonicalizeBindings
# what was an output of the first block is used in the joined block alone, and stays one
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        with R.dataflow():
            a = R.tanh(x)
            b = R.add(x, a)
            R.output(a, b)
        c = a
        with R.dataflow():
            d = R.multiply(c, b)
            R.output(d)
        return d

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((2, 3), dtype="float32") = R.tanh(x)
            b: R.Tensor((2, 3), dtype="float32") = R.add(x, a)
            d: R.Tensor((2, 3), dtype="float32") = R.multiply(a, b)
            R.output(a, b, d)
        return d
