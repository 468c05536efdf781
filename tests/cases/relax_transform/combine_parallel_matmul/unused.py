# pass: relax.CombineParallelMatmul
# products of different blocks are not combined, but what is unused is removed
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), a: R.Tensor((3, 4), "float32"), b: R.Tensor((3, 4), "float32")):
        with R.dataflow():
            p = R.matmul(x, a)
            dead = R.exp(p)
            R.output(p)
        q = R.matmul(x, b)
        unused = R.exp(q)
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
            R.output(p)
        q: R.Tensor((2, 4), dtype="float32") = R.matmul(x, b, out_dtype="void")
        return (p, q)
