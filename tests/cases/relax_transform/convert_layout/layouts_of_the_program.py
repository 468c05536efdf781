# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 28, 28, 3), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1, data_layout="NHWC", kernel_layout="OHWI")
            lv1 = R.nn.relu(lv)
            lv2 = R.nn.conv2d(x, w, padding=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NCHW")
            R.output(lv1, lv2)
        return (lv1, lv2)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 28, 28, 3), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 28, 28, 4), dtype="float32"), R.Tensor((2, 4, 28, 28), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(x, w, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.relu(lv)
            lv_1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(x, w, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor((2, 4, 28, 28), dtype="float32") = R.permute_dims(lv_1, axes=[0, 3, 1, 2])
            R.output(lv1, lv2)
        return (lv1, lv2)
