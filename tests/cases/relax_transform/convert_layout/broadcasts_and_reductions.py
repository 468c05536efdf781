# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), "float32"), w: R.Tensor((4, 3, 3, 3), "float32"), w2: R.Tensor((4, 4, 3, 3), "float32"), b: R.Tensor((26, 26), "float32"), s: R.Tensor((), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, out_dtype="float32")
            lv1 = R.add(lv, b)
            lv2 = R.nn.relu(lv1)
            lv3 = R.multiply(lv2, R.const(2, "float32"))
            lv4 = R.add(lv3, s)
            lv5 = R.nn.conv2d(lv4, w2)
            lv6 = R.mean(lv5, axis=[2, 3])
            lv7 = R.mean(lv5, axis=[2, 3], keepdims=True)
            lv8 = R.nn.softmax(lv5, axis=1)
            lv9 = R.permute_dims(lv8, [0, 2, 3, 1])
            lv10 = R.reshape(lv8, (2, 4, 576))
            R.output(lv6, lv7, lv9, lv10)
        return (lv6, lv7, lv9, lv10)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32"), w2: R.Tensor((4, 4, 3, 3), dtype="float32"), b: R.Tensor((26, 26), dtype="float32"), s: R.Tensor((), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4, 1, 1), dtype="float32"), R.Tensor((2, 24, 24, 4), dtype="float32"), R.Tensor((2, 4, 576), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((2, 26, 26, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="float32")
            lv2: R.Tensor((2, 4, 26, 26), dtype="float32") = R.permute_dims(lv_1, axes=[0, 3, 1, 2])
            lv1_1: R.Tensor((2, 4, 26, 26), dtype="float32") = R.add(lv2, b)
            lv2_1: R.Tensor((2, 4, 26, 26), dtype="float32") = R.nn.relu(lv1_1)
            lv3: R.Tensor((2, 4, 26, 26), dtype="float32") = R.multiply(lv2_1, R.const(2, "float32"))
            lv4: R.Tensor((2, 4, 26, 26), dtype="float32") = R.add(lv3, s)
            lv3_1: R.Tensor((2, 26, 26, 4), dtype="float32") = R.permute_dims(lv4, axes=[0, 2, 3, 1])
            lv4_1: R.Tensor((4, 3, 3, 4), dtype="float32") = R.permute_dims(w2, axes=[0, 2, 3, 1])
            lv5: R.Tensor((2, 24, 24, 4), dtype="float32") = R.nn.conv2d(lv3_1, lv4_1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv6: R.Tensor((2, 4), dtype="float32") = R.mean(lv5, axis=[1, 2], keepdims=False)
            lv5_1: R.Tensor((2, 1, 1, 4), dtype="float32") = R.mean(lv5, axis=[1, 2], keepdims=True)
            lv7: R.Tensor((2, 4, 1, 1), dtype="float32") = R.permute_dims(lv5_1, axes=[0, 3, 1, 2])
            lv8: R.Tensor((2, 24, 24, 4), dtype="float32") = R.nn.softmax(lv5, axis=3)
            lv9: R.Tensor((2, 24, 24, 4), dtype="float32") = R.permute_dims(lv8, axes=[0, 1, 2, 3])
            lv6_1: R.Tensor((2, 4, 24, 24), dtype="float32") = R.permute_dims(lv8, axes=[0, 3, 1, 2])
            lv10: R.Tensor((2, 4, 576), dtype="float32") = R.reshape(lv6_1, R.shape([2, 4, 576]))
            R.output(lv6, lv7, lv9, lv10)
        return (lv6, lv7, lv9, lv10)
