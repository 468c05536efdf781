# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3, "h", "v"), "float32"), w: R.Tensor((4, 3, 3, 3), "float32"), b: R.Tensor((1, 4, 1, 1), "float32")):
        n = T.int64()
        h = T.int64()
        v = T.int64()
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1)
            lv1 = R.add(lv, b)
            lv2 = R.sigmoid(lv1)
            lv3 = R.match_cast(lv2, R.Tensor((n, 4, h, v), "float32"))
            lv4 = R.nn.relu(lv3)
            R.output(lv4)
        return lv4

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3, "h", "v"), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32"), b: R.Tensor((1, 4, 1, 1), dtype="float32")) -> R.Tensor(("n", 4, "h", "v"), dtype="float32"):
        n = T.int64()
        h = T.int64()
        v = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, h, v, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((n, h, v, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor((1, 1, 1, 4), dtype="float32") = R.permute_dims(b, axes=[0, 2, 3, 1])
            lv1_1: R.Tensor((n, h, v, 4), dtype="float32") = R.add(lv_1, lv2)
            lv2_1: R.Tensor((n, h, v, 4), dtype="float32") = R.sigmoid(lv1_1)
            lv3: R.Tensor((n, h, v, 4), dtype="float32") = R.match_cast(lv2_1, R.Tensor((n, h, v, 4), dtype="float32"))
            lv4: R.Tensor((n, h, v, 4), dtype="float32") = R.nn.relu(lv3)
            lv4_1: R.Tensor((n, 4, h, v), dtype="float32") = R.permute_dims(lv4, axes=[0, 3, 1, 2])
            R.output(lv4_1)
        return lv4_1
