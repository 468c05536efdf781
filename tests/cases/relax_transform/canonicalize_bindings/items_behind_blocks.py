# pass: relax.CanonicalizeBindings
# differs from TVM: it keeps an output that nothing uses until it runs again
# An item of a tuple is its field, which becomes an output of its block.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            a = R.exp(x)
            t = (a, x)
            R.output(t)
        b = t[0]
        c = t[1]
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
            t: R.Tuple(R.Tensor((2, 3), dtype="float32"), R.Tensor((2, 3), dtype="float32")) = b, x
            R.output(b)
        return (b, x)
