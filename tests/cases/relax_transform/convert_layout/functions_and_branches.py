# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(2), T.int64(4), T.int64(28), T.int64(28)), "float32"), B: T.Buffer((T.int64(2), T.int64(4), T.int64(28), T.int64(28)), "float32")):
        T.evaluate(0)
    @R.function
    def helper(x: R.Tensor((2, 4, 28, 28), "float32"), w: R.Tensor((4, 4, 3, 3), "float32")) -> R.Tensor((2, 4, 28, 28), "float32"):
        cls = Module
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1)
            lv1 = R.call_tir(cls.k, (lv,), R.Tensor((2, 4, 28, 28), "float32"))
            lv2 = R.nn.conv2d(lv1, w, padding=1)
            lv3 = R.nn.conv2d(lv2, w, padding=1)
            lv4 = lv3
            lv5 = R.nn.relu(lv4)
            R.output(lv5)
        return lv5
    @R.function
    def main(x: R.Tensor((2, 4, 28, 28), "float32"), w: R.Tensor((4, 4, 3, 3), "float32"), c: R.Tensor((), "bool")):
        cls = Module
        with R.dataflow():
            lv = R.nn.conv2d(x, w, padding=1)
            lv1 = cls.helper(lv, w)
            R.output(lv, lv1)
        if c:
            r = R.nn.conv2d(lv, w)
        else:
            with R.dataflow():
                lv2 = R.nn.conv2d(lv, w)
                lv3 = R.nn.relu(lv2)
                R.output(lv3)
            r = lv3
        return r

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @T.prim_func(private=True)
    def k(A: T.Buffer((T.int64(2), T.int64(4), T.int64(28), T.int64(28)), "float32"), B: T.Buffer((T.int64(2), T.int64(4), T.int64(28), T.int64(28)), "float32")):
        T.evaluate(0)

    @R.function
    def helper(x: R.Tensor((2, 4, 28, 28), dtype="float32"), w: R.Tensor((4, 4, 3, 3), dtype="float32")) -> R.Tensor((2, 4, 28, 28), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 4), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 4), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor((2, 4, 28, 28), dtype="float32") = R.permute_dims(lv_1, axes=[0, 3, 1, 2])
            lv1_1 = R.call_tir(cls.k, (lv2,), out_sinfo=R.Tensor((2, 4, 28, 28), dtype="float32"))
            lv3: R.Tensor((2, 28, 28, 4), dtype="float32") = R.permute_dims(lv1_1, axes=[0, 2, 3, 1])
            lv4: R.Tensor((4, 3, 3, 4), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv2_1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(lv3, lv4, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv5: R.Tensor((4, 3, 3, 4), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv3_1: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(lv2_1, lv5, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv4_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.permute_dims(lv3_1, axes=[0, 3, 1, 2])
            lv5_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.nn.relu(lv4_1)
            R.output(lv5_1)
        return lv5_1

    @R.function
    def main(x: R.Tensor((2, 4, 28, 28), dtype="float32"), w: R.Tensor((4, 4, 3, 3), dtype="float32"), c: R.Tensor((), dtype="bool")) -> R.Tensor((2, 4, 26, 26), dtype="float32"):
        cls = Module
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 4), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 4), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv2: R.Tensor((2, 28, 28, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv_1: R.Tensor((2, 4, 28, 28), dtype="float32") = R.permute_dims(lv2, axes=[0, 3, 1, 2])
            lv1_1: R.Tensor((2, 4, 28, 28), dtype="float32") = cls.helper(lv_1, w)
            R.output(lv_1, lv1_1)
        if c:
            r_then: R.Tensor((2, 4, 26, 26), dtype="float32") = R.nn.conv2d(lv_1, w, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="void")
            r: R.Tensor((2, 4, 26, 26), dtype="float32") = r_then
        else:
            with R.dataflow():
                lv_2: R.Tensor((2, 28, 28, 4), dtype="float32") = R.permute_dims(lv_1, axes=[0, 2, 3, 1])
                lv1_2: R.Tensor((4, 3, 3, 4), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
                lv2_1: R.Tensor((2, 26, 26, 4), dtype="float32") = R.nn.conv2d(lv_2, lv1_2, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
                lv2_2: R.Tensor((2, 26, 26, 4), dtype="float32") = R.nn.relu(lv2_1)
                lv3: R.Tensor((2, 4, 26, 26), dtype="float32") = R.permute_dims(lv2_2, axes=[0, 3, 1, 2])
                R.output(lv3)
            r: R.Tensor((2, 4, 26, 26), dtype="float32") = lv3
        return r
