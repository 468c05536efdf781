# pass: relax.EliminateCommonSubexpr
# behind a block, an output stands for itself
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(x)
            c = R.sin(b)
            R.output(a, b, c)
        d = R.exp(x)
        e = R.sin(d)
        f = R.exp(b)
        return (a, b, c, d, e, f)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")):
        with R.dataflow():
            a: R.Tensor((1, 3), dtype="float32") = R.exp(x)
            b: R.Tensor((1, 3), dtype="float32") = a
            c: R.Tensor((1, 3), dtype="float32") = R.sin(a)
            R.output(a, b, c)
        d: R.Tensor((1, 3), dtype="float32") = a
        e: R.Tensor((1, 3), dtype="float32") = c
        f: R.Tensor((1, 3), dtype="float32") = R.exp(b)
        return (a, b, c, a, c, f)
