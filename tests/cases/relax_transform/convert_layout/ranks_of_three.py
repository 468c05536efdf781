# pass: relax.ConvertLayout(desired_layouts={"relax.nn.conv2d": ["NHWC", "HWIO"]})
# Three operands of which one has an unknown rank keep the order of the program.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 8, 8), "float32"), w: R.Tensor((8, 3, 3, 3), "float32"), y: R.Tensor(dtype="float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w)
            first = R.ewise_fma(y, lv, lv)
            last = R.ewise_fma(lv, lv, y)
            R.output(first, last)
        return (first, last)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 8, 8), dtype="float32"), w: R.Tensor((8, 3, 3, 3), dtype="float32"), y: R.Tensor(dtype="float32")) -> R.Tuple(R.Tensor(dtype="float32", ndim=4), R.Tensor(dtype="float32", ndim=4)):
        with R.dataflow():
            lv: R.Tensor((2, 8, 8, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((3, 3, 3, 8), dtype="float32") = R.permute_dims(w, axes=[2, 3, 1, 0])
            lv_1: R.Tensor((2, 6, 6, 8), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="HWIO", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor((2, 8, 6, 6), dtype="float32") = R.permute_dims(lv_1, axes=[0, 3, 1, 2])
            lv3: R.Tensor((2, 8, 6, 6), dtype="float32") = R.permute_dims(lv_1, axes=[0, 3, 1, 2])
            first: R.Tensor(dtype="float32", ndim=4) = R.ewise_fma(y, lv2, lv3)
            lv4: R.Tensor((2, 8, 6, 6), dtype="float32") = R.permute_dims(lv_1, axes=[0, 3, 1, 2])
            lv5: R.Tensor((2, 8, 6, 6), dtype="float32") = R.permute_dims(lv_1, axes=[0, 3, 1, 2])
            last: R.Tensor(dtype="float32", ndim=4) = R.ewise_fma(lv4, lv5, y)
            R.output(first, last)
        return (first, last)
