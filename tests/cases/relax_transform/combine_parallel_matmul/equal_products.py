# pass: relax.CombineParallelMatmul
# products with one weight stay: they are one value
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), a: R.Tensor((3, 4), "float32"), b: R.Tensor((3, 4), "float32")):
        with R.dataflow():
            p = R.matmul(x, a)
            q = R.matmul(x, a)
            R.output(p, q)
        return (p, q)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), a: R.Tensor((3, 4), dtype="float32"), b: R.Tensor((3, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            p: R.Tensor((2, 4), dtype="float32") = R.matmul(x, a, out_dtype="void")
            q: R.Tensor((2, 4), dtype="float32") = R.matmul(x, a, out_dtype="void")
            R.output(p, q)
        return (p, q)
