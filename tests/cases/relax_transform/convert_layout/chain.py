# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), "float32"), w: R.Tensor((4, 3, 3, 3), "float32"), b: R.Tensor((1, 4, 1, 1), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1)
            lv1 = R.add(lv, b)
            lv2 = R.nn.relu(lv1)
            lv3 = R.nn.max_pool2d(lv2, pool_size=2, strides=2)
            R.output(lv3)
        return lv3

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32"), b: R.Tensor((1, 4, 1, 1), dtype="float32")) -> R.Tensor((2, 4, 14, 14), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor((1, 1, 1, 4), dtype="float32") = R.permute_dims(b, axes=[0, 2, 3, 1])
            lv1_1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.add(lv_1, lv2)
            lv2_1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.relu(lv1_1)
            lv3: R.Tensor((2, 14, 14, 4), dtype="float32") = R.nn.max_pool2d(lv2_1, pool_size=[2, 2], strides=[2, 2], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, layout="NHWC", out_layout="NHWC")
            lv3_1: R.Tensor((2, 4, 14, 14), dtype="float32") = R.permute_dims(lv3, axes=[0, 3, 1, 2])
            R.output(lv3_1)
        return lv3_1
