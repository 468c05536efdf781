# pass: relax.ConvertLayout({"relax.nn.conv2d": ["HWNC", "HWIO"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 8, 8, 3), "float32"), w: R.Tensor((3, 3, 3, 4), "float32"), w2: R.Tensor((4, 4, 1, 1), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, data_layout="NHWC", kernel_layout="HWIO", out_layout="NCHW")
            lv1 = R.nn.conv2d(lv, w2)
            lv2 = R.nn.max_pool2d(lv1)
            lv3 = R.mean(lv2, axis=[2, 3])
            lv4 = R.nn.softmax(lv2, axis=2)
            R.output(lv3, lv4)
        return (lv3, lv4)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 8, 8, 3), dtype="float32"), w: R.Tensor((3, 3, 3, 4), dtype="float32"), w2: R.Tensor((4, 4, 1, 1), dtype="float32")) -> R.Tuple(R.Tensor((1, 4), dtype="float32"), R.Tensor((1, 4, 6, 6), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((8, 8, 1, 3), dtype="float32") = R.permute_dims(x, axes=[1, 2, 0, 3])
            lv_1: R.Tensor((6, 6, 1, 4), dtype="float32") = R.nn.conv2d(lv, w, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="HWNC", kernel_layout="HWIO", out_layout="HWNC", out_dtype="void")
            lv1: R.Tensor((1, 1, 4, 4), dtype="float32") = R.permute_dims(w2, axes=[2, 3, 1, 0])
            lv1_1: R.Tensor((6, 6, 1, 4), dtype="float32") = R.nn.conv2d(lv_1, lv1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="HWNC", kernel_layout="HWIO", out_layout="HWNC", out_dtype="void")
            lv2: R.Tensor((6, 6, 1, 4), dtype="float32") = R.nn.max_pool2d(lv1_1, pool_size=[1, 1], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, layout="HWNC", out_layout="HWNC")
            lv3: R.Tensor((1, 4), dtype="float32") = R.mean(lv2, axis=[0, 1], keepdims=False)
            lv2_1: R.Tensor((6, 6, 1, 4), dtype="float32") = R.nn.softmax(lv2, axis=0)
            lv4: R.Tensor((1, 4, 6, 6), dtype="float32") = R.permute_dims(lv2_1, axes=[2, 3, 0, 1])
            R.output(lv3, lv4)
        return (lv3, lv4)
