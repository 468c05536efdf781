# pass: relax.EliminateCommonSubexpr
# An output of a block stays what the following blocks use.
@I.ir_module
class Module:
    @R.function
    def main(x0: R.Tensor((2, 3), dtype="float32"), x1: R.Tensor((3, 4), dtype="float32")):
        with R.dataflow():
            v4 = R.matmul(x0, x1)
            v5 = R.matmul(x0, x1)
            v6 = R.exp(v5)
            R.output(v5, v6)
        return (v5, v6)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x0: R.Tensor((2, 3), dtype="float32"), x1: R.Tensor((3, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            v4: R.Tensor((2, 4), dtype="float32") = R.matmul(x0, x1, out_dtype="void")
            v5: R.Tensor((2, 4), dtype="float32") = v4
            v6: R.Tensor((2, 4), dtype="float32") = R.exp(v4)
            R.output(v5, v6)
        return (v5, v6)
