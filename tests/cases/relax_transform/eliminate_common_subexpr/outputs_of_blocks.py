# pass: relax.EliminateCommonSubexpr
# behind a block, an output stands for the value that a variable of the block had in it
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), "float32")):
        with R.dataflow():
            a = R.exp(x)
            b = R.exp(x)
            c = R.add(a, b)
            R.output(b, c)
        d = R.exp(x)
        e = R.sin(b)
        f = R.sin(d)
        return (b, c, d, e, f)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32"), R.Tensor((1, 3), dtype="float32")):
        with R.dataflow():
            a: R.Tensor((1, 3), dtype="float32") = R.exp(x)
            b: R.Tensor((1, 3), dtype="float32") = a
            c: R.Tensor((1, 3), dtype="float32") = R.add(a, a)
            R.output(b, c)
        d: R.Tensor((1, 3), dtype="float32") = b
        e: R.Tensor((1, 3), dtype="float32") = R.sin(b)
        f: R.Tensor((1, 3), dtype="float32") = e
        return (b, c, b, e, e)
