# pass: relax.ReorderTakeAfterMatmul
# differs from TVM: it takes the diagonal of axes of different sizes
@I.ir_module
class Module:
    @R.function
    def vec1(x: R.Tensor((3, 1, 16), "float32"), wt: R.Tensor((9, 16, 32), "float32"), ids: R.Tensor((1,), "int64")):
        with R.dataflow():
            w = R.take(wt, ids, axis=0)
            y = R.matmul(x, w)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def vec1(x: R.Tensor((3, 1, 16), dtype="float32"), wt: R.Tensor((9, 16, 32), dtype="float32"), ids: R.Tensor((1,), dtype="int64")) -> R.Tensor((3, 1, 32), dtype="float32"):
        with R.dataflow():
            w: R.Tensor((1, 16, 32), dtype="float32") = R.take(wt, ids, axis=0)
            y: R.Tensor((3, 1, 32), dtype="float32") = R.matmul(x, w, out_dtype="void")
            R.output(y)
        return y
