# pass: relax.CanonicalizeBindings
# differs from TVM: TVM keeps the output h0, whose last use is an item that it has replaced by the field
@I.ir_module
class Module:
    @R.function
    def main(p: R.Tensor((2, 3), "float32")):
        with R.dataflow():
            h0 = (p,)
            R.output(h0)
        h2 = R.multiply(p, p)
        with R.dataflow():
            h3 = R.multiply(p, h2)
            h5 = h0[0]
            R.output(h3)
        return h3

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(p: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        with R.dataflow():
            h0: R.Tuple(R.Tensor((2, 3), dtype="float32")) = (p,)
            R.output()
        h2: R.Tensor((2, 3), dtype="float32") = R.multiply(p, p)
        with R.dataflow():
            h3: R.Tensor((2, 3), dtype="float32") = R.multiply(p, h2)
            R.output(h3)
        return h3
