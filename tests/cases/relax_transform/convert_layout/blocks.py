# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1)
            lv1 = R.nn.relu(lv)
            R.output(lv, lv1)
        lv2 = R.nn.relu(lv1)
        with R.dataflow():
            lv3 = R.add(lv, lv2)
            lv4 = R.nn.conv2d(x, w, padding=1)
            lv5 = R.add(lv3, lv4)
            lv6 = (lv5, lv4)
            lv7 = lv6[0]
            lv8 = R.nn.relu(lv7)
            gv = (lv8, lv6)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32")) -> R.Tuple(R.Tensor((2, 4, 28, 28), dtype="float32"), R.Tuple(R.Tensor((2, 4, 28, 28), dtype="float32"), R.Tensor((2, 4, 28, 28), dtype="float32"))):
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv2: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.permute_dims(lv2, axes=[0, 3, 1, 2])
            lv1_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.nn.relu(lv_1)
            R.output(lv_1, lv1_1)
        lv2_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.nn.relu(lv1_1)
        with R.dataflow():
            lv3: R.Tensor((2, 4, 28, 28), dtype="float32") = R.add(lv_1, lv2_1)
            lv_2: R.Tensor((2, 28, 28, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1_2: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv4: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(lv_2, lv1_2, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2_2: R.Tensor((2, 4, 28, 28), dtype="float32") = R.permute_dims(lv4, axes=[0, 3, 1, 2])
            lv5: R.Tensor((2, 4, 28, 28), dtype="float32") = R.add(lv3, lv2_2)
            lv6: R.Tuple(R.Tensor((2, 4, 28, 28), dtype="float32"), R.Tensor((2, 28, 28, 4), dtype="float32")) = lv5, lv4
            lv7: R.Tensor((2, 4, 28, 28), dtype="float32") = lv6[0]
            lv8: R.Tensor((2, 4, 28, 28), dtype="float32") = R.nn.relu(lv7)
            lv3_1: R.Tensor((2, 4, 28, 28), dtype="float32") = lv6[0]
            lv4_1: R.Tensor((2, 28, 28, 4), dtype="float32") = lv6[1]
            lv5_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.permute_dims(lv4_1, axes=[0, 3, 1, 2])
            gv: R.Tuple(R.Tensor((2, 4, 28, 28), dtype="float32"), R.Tuple(R.Tensor((2, 4, 28, 28), dtype="float32"), R.Tensor((2, 4, 28, 28), dtype="float32"))) = lv8, (lv3_1, lv5_1)
            R.output(gv)
        return gv
