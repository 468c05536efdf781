# pass: relax.ToMixedPrecision("bfloat16")
# differs from TVM: TVM changes the dtype of the result
# raises: WrongType
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            lv = R.matmul(x, w)
            R.output(lv)
        return lv

# after
error[TS1003]: relax.ToMixedPrecision.out_dtype takes float16 or float32, but got bfloat16
