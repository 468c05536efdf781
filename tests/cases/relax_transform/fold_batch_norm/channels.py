# pass: relax.FoldBatchNorm
# differs from TVM: it has no such pass
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 1, 2, 2), "float32")) -> R.Tensor((1, 2, 2, 2), "float32"):
        with R.dataflow():
            y = R.nn.conv2d(x, R.const([[[[1.0]]], [[[2.0]]]], "float32"))
            z = R.nn.batch_norm(y, R.const([4.0, 1.0], "float32"), R.const([0.5, 1.0], "float32"), R.const([3.0, 4.0], "float32"), R.const([4.0, 1.0], "float32"), axis=1, epsilon=0.0)
            gv = z[0]
            R.output(gv)
        return gv
    @R.function
    def used_twice(x: R.Tensor((1, 1, 2, 2), "float32")) -> R.Tensor((1, 2, 2, 2), "float32"):
        with R.dataflow():
            y = R.nn.conv2d(x, R.const([[[[1.0]]], [[[2.0]]]], "float32"))
            z = R.nn.batch_norm(y, R.const([4.0, 1.0], "float32"), R.const([0.5, 1.0], "float32"), R.const([3.0, 4.0], "float32"), R.const([4.0, 1.0], "float32"), axis=1, epsilon=0.0)
            gv = R.add(z[0], y)
            R.output(gv)
        return gv

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def used_twice(x: R.Tensor((1, 1, 2, 2), dtype="float32")) -> R.Tensor((1, 2, 2, 2), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((1, 2, 2, 2), dtype="float32") = R.nn.conv2d(x, metadata["relax.expr.Constant"][0], strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="void")
            z: R.Tuple(R.Tensor((1, 2, 2, 2), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = R.nn.batch_norm(y, metadata["relax.expr.Constant"][1], metadata["relax.expr.Constant"][2], metadata["relax.expr.Constant"][3], metadata["relax.expr.Constant"][4], axis=1, epsilon=0, center=True, scale=True, momentum=0.10000000000000001)
            lv2: R.Tensor((1, 2, 2, 2), dtype="float32") = z[0]
            gv: R.Tensor((1, 2, 2, 2), dtype="float32") = R.add(lv2, y)
            R.output(gv)
        return gv

    @R.function
    def main(x: R.Tensor((1, 1, 2, 2), dtype="float32")) -> R.Tensor((1, 2, 2, 2), dtype="float32"):
        with R.dataflow():
            y: R.Tensor((1, 2, 2, 2), dtype="float32") = R.nn.conv2d(x, metadata["relax.expr.Constant"][5], strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="void")
            lv: R.Tensor((1, 2, 2, 2), dtype="float32") = R.nn.conv2d(x, metadata["relax.expr.Constant"][6], strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="void")
            lv1: R.Tensor((1, 2, 2, 2), dtype="float32") = R.add(lv, metadata["relax.expr.Constant"][7])
            z: R.Tuple(R.Tensor((1, 2, 2, 2), dtype="float32"), R.Tensor((2,), dtype="float32"), R.Tensor((2,), dtype="float32")) = lv1, metadata["relax.expr.Constant"][8], metadata["relax.expr.Constant"][9]
            gv: R.Tensor((1, 2, 2, 2), dtype="float32") = z[0]
            R.output(gv)
        return gv

metadata = {
    "relax.expr.Constant": [
        R.const(T.data("float32", [2, 1, 1, 1], "AACAPwAAAEA=")),
        R.const(T.data("float32", [2], "AACAQAAAgD8=")),
        R.const(T.data("float32", [2], "AAAAPwAAgD8=")),
        R.const(T.data("float32", [2], "AABAQAAAgEA=")),
        R.const(T.data("float32", [2], "AACAQAAAgD8=")),
        R.const(T.data("float32", [2, 1, 1, 1], "AACAPwAAAEA=")),
        R.const(T.data("float32", [2, 1, 1, 1], "AAAAQAAAAEA=")),
        R.const(T.data("float32", [1, 2, 1, 1], "AACwwAAAQMA=")),
        R.const(T.data("float32", [2], "AABAQAAAgEA=")),
        R.const(T.data("float32", [2], "AACAQAAAgD8=")),
    ],
}
