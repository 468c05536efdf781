# pass: relax.TopologicalSort(order='depth-first', direction='from-outputs')
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), a: R.Tensor((3, 4), "float32"), b: R.Tensor((3, 4), "float32")):
        with R.dataflow():
            c = R.exp(a)
            d = R.sin(a)
            R.output(c, d)
        return (c, (d, c))

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), a: R.Tensor((3, 4), dtype="float32"), b: R.Tensor((3, 4), dtype="float32")) -> R.Tuple(R.Tensor((3, 4), dtype="float32"), R.Tuple(R.Tensor((3, 4), dtype="float32"), R.Tensor((3, 4), dtype="float32"))):
        with R.dataflow():
            d: R.Tensor((3, 4), dtype="float32") = R.sin(a)
            c: R.Tensor((3, 4), dtype="float32") = R.exp(a)
            R.output(d, c)
        return (c, (d, c))
