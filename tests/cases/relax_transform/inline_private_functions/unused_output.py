# pass: relax.InlinePrivateFunctions
# differs from TVM: TVM keeps the output v, which only the block that it joins uses
@I.ir_module
class Module:
    @R.function(private=True)
    def helper(p: R.Tensor((2, 3), "float32")):
        h = R.exp(p)
        return h

    @R.function
    def main(x: R.Tensor((2, 3), "float32")):
        cls = Module
        with R.dataflow():
            v = R.add(x, x)
            R.output(v)
        with R.dataflow():
            u = R.multiply(v, v)
            R.output(u)
        with R.dataflow():
            unused = cls.helper(u)
            w = R.multiply(x, v)
            R.output(w)
        return w

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32")) -> R.Tensor((2, 3), dtype="float32"):
        with R.dataflow():
            v: R.Tensor((2, 3), dtype="float32") = R.add(x, x)
            w: R.Tensor((2, 3), dtype="float32") = R.multiply(x, v)
            R.output(w)
        return w
