# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI", "NCHW"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 28, 28), "float32"), w: R.Tensor((4, 4, 3, 3), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1)
            lv1 = R.nn.relu(lv)
            R.output(lv1)
        return lv1

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4, 28, 28), dtype="float32"), w: R.Tensor((4, 4, 3, 3), dtype="float32")) -> R.Tensor((2, 4, 28, 28), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 4), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 4), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NCHW", out_dtype="void")
            lv1_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.nn.relu(lv_1)
            R.output(lv1_1)
        return lv1_1
