# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, 3, 3), "float32"), w2: R.Tensor((4, 4, 1, 1), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w)
            lv1 = R.add(lv, R.const([[[[1.0]]]], "float32"))
            s = R.shape_of(x)
            z = R.zeros((1, 4, 6, 6), "float32")
            lv2 = R.add(lv1, z)
            lv3 = R.nn.conv2d(lv2, w2)
            lv4 = R.call_pure_packed("foo", lv3, sinfo_args=R.Tensor((1, 4, 6, 6), "float32"))
            lv5 = R.nn.conv2d(lv4, w2, out_dtype="float16")
            R.output(lv5)
        return lv5

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 8, 8), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32"), w2: R.Tensor((4, 4, 1, 1), dtype="float32")) -> R.Tensor((1, 4, 6, 6), dtype="float16"):
        with R.dataflow():
            lv: R.Tensor((1, 8, 8, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((1, 6, 6, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor((1, 1, 1, 1), dtype="float32") = R.permute_dims(metadata["relax.expr.Constant"][0], axes=[0, 2, 3, 1])
            lv1_1: R.Tensor((1, 6, 6, 4), dtype="float32") = R.add(lv_1, lv2)
            s: R.Shape([1, 3, 8, 8]) = R.shape_of(x)
            z: R.Tensor((1, 4, 6, 6), dtype="float32") = R.zeros(R.shape([1, 4, 6, 6]), dtype="float32")
            lv3: R.Tensor((1, 6, 6, 4), dtype="float32") = R.permute_dims(z, axes=[0, 2, 3, 1])
            lv2_1: R.Tensor((1, 6, 6, 4), dtype="float32") = R.add(lv1_1, lv3)
            lv4: R.Tensor((4, 1, 1, 4), dtype="float32") = R.permute_dims(w2, axes=[0, 2, 3, 1])
            lv3_1: R.Tensor((1, 6, 6, 4), dtype="float32") = R.nn.conv2d(lv2_1, lv4, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv5: R.Tensor((1, 4, 6, 6), dtype="float32") = R.permute_dims(lv3_1, axes=[0, 3, 1, 2])
            lv4_1: R.Tensor((1, 4, 6, 6), dtype="float32") = R.call_pure_packed("foo", lv5, sinfo_args=(R.Tensor((1, 4, 6, 6), dtype="float32"),))
            lv6: R.Tensor((1, 6, 6, 4), dtype="float32") = R.permute_dims(lv4_1, axes=[0, 2, 3, 1])
            lv7: R.Tensor((4, 1, 1, 4), dtype="float32") = R.permute_dims(w2, axes=[0, 2, 3, 1])
            lv8: R.Tensor((1, 6, 6, 4), dtype="float16") = R.nn.conv2d(lv6, lv7, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="float16")
            lv5_1: R.Tensor((1, 4, 6, 6), dtype="float16") = R.permute_dims(lv8, axes=[0, 3, 1, 2])
            R.output(lv5_1)
        return lv5_1

metadata = {
    "relax.expr.Constant": [
        R.const(T.data("float32", [1, 1, 1, 1], "AACAPw==")),
    ],
}
