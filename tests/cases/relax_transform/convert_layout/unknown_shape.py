# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3, "h", "v"), "float32"), w: R.Tensor((4, 3, 3, 3), "float32"), b: R.Tensor(ndim=4, dtype="float32"), c: R.Tensor("float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, strides=2, groups=1)
            lv1 = R.add(lv, b)
            lv2 = R.multiply(lv1, lv1)
            R.output(lv2)
        return lv2

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 3, "h", "v"), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32"), b: R.Tensor(dtype="float32", ndim=4), c: R.Tensor(dtype="float32")) -> R.Tensor(dtype="float32", ndim=4):
        n = T.int64()
        h = T.int64()
        v = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, h, v, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((n, (h - 3) // 2 + 1, (v - 3) // 2 + 1, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[2, 2], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor(dtype="float32", ndim=4) = R.permute_dims(b, axes=[0, 2, 3, 1])
            lv1_1: R.Tensor(dtype="float32", ndim=4) = R.add(lv_1, lv2)
            lv3: R.Tensor(dtype="float32", ndim=4) = R.multiply(lv1_1, lv1_1)
            lv2_1: R.Tensor(dtype="float32", ndim=4) = R.permute_dims(lv3, axes=[0, 3, 1, 2])
            R.output(lv2_1)
        return lv2_1
