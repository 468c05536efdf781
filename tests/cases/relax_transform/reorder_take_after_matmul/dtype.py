# pass: relax.ReorderTakeAfterMatmul
# differs from TVM: it drops out_dtype
@I.ir_module
class Module:
    @R.function
    def mod(x: R.Tensor((2, 1, 16), "float32"), wt: R.Tensor((16, 32), "float32"), ids: R.Tensor((4,), "int64")):
        with R.dataflow():
            w = R.take(wt, ids, axis=1)
            y = R.matmul(x, w, out_dtype="float16")
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def mod(x: R.Tensor((2, 1, 16), dtype="float32"), wt: R.Tensor((16, 32), dtype="float32"), ids: R.Tensor((4,), dtype="int64")) -> R.Tensor((2, 1, 4), dtype="float16"):
        with R.dataflow():
            lv: R.Tensor((2, 1, 32), dtype="float16") = R.matmul(x, wt, out_dtype="float16")
            y: R.Tensor((2, 1, 4), dtype="float16") = R.take(lv, ids, axis=2)
            R.output(y)
        return y
