# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
# differs from TVM: it fails a check where a rank is not known
# Casts of what is stored permuted: to a shape, to a rank, inside of a tuple, to no rank; and outside of dataflow blocks.
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 8, 8), "float32"), w: R.Tensor((4, 3, 3, 3), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv = R.nn.conv2d(x, w)
            lv1 = R.match_cast(lv, R.Tensor((1, n, 6, 6), "float32"))
            lv2 = R.nn.relu(lv1)
            lv3 = R.match_cast(lv2, R.Tensor("float32", ndim=4))
            lv4 = R.nn.relu(lv3)
            lv5 = (lv2, lv4)
            lv6 = R.match_cast(lv5, R.Tuple(R.Tensor((1, n, m, 6), "float32"), R.Tensor("float32", ndim=4)))
            lv7 = lv6[0]
            lv8 = R.exp(lv7)
            gv = R.match_cast(lv8, R.Tensor((1, 4, 6, 6), "float32"))
            lv9 = R.match_cast(lv6, R.Tuple(R.Object, R.Tensor("float32", ndim=4)))
            gv1 = lv9[1]
            R.output(gv, gv1)
        gv2 = R.match_cast(gv, R.Tensor((1, 4, 6, m), "float32"))
        return (gv, gv1, gv2)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((1, 3, 8, 8), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32")) -> R.Tuple(R.Tensor((1, 4, 6, 6), dtype="float32"), R.Tensor(dtype="float32", ndim=4), R.Tensor(dtype="float32", ndim=4)):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv: R.Tensor((1, 8, 8, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((1, 6, 6, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="void")
            lv2: R.Tensor((1, 6, 6, n), dtype="float32") = R.match_cast(lv_1, R.Tensor((1, 6, 6, n), dtype="float32"))
            lv2_1: R.Tensor((1, 6, 6, n), dtype="float32") = R.nn.relu(lv2)
            lv3: R.Tensor(dtype="float32", ndim=4) = R.match_cast(lv2_1, R.Tensor(dtype="float32", ndim=4))
            lv4: R.Tensor(dtype="float32", ndim=4) = R.nn.relu(lv3)
            lv5: R.Tuple(R.Tensor((1, 6, 6, n), dtype="float32"), R.Tensor(dtype="float32", ndim=4)) = lv2_1, lv4
            lv4_1: R.Tuple(R.Tensor((1, m, 6, n), dtype="float32"), R.Tensor(dtype="float32", ndim=4)) = R.match_cast(lv5, R.Tuple(R.Tensor((1, m, 6, n), dtype="float32"), R.Tensor(dtype="float32", ndim=4)))
            lv7: R.Tensor((1, m, 6, n), dtype="float32") = lv4_1[0]
            lv8: R.Tensor((1, m, 6, n), dtype="float32") = R.exp(lv7)
            lv5_1: R.Tensor((1, n, m, 6), dtype="float32") = R.permute_dims(lv8, axes=[0, 3, 1, 2])
            gv: R.Tensor((1, 4, 6, 6), dtype="float32") = R.match_cast(lv5_1, R.Tensor((1, 4, 6, 6), dtype="float32"))
            lv6: R.Tensor((1, m, 6, n), dtype="float32") = lv4_1[0]
            lv7_1: R.Tensor((1, n, m, 6), dtype="float32") = R.permute_dims(lv6, axes=[0, 3, 1, 2])
            lv8_1: R.Tensor(dtype="float32", ndim=4) = lv4_1[1]
            lv9: R.Tensor(dtype="float32", ndim=4) = R.permute_dims(lv8_1, axes=[0, 3, 1, 2])
            lv9_1: R.Tuple(R.Object, R.Tensor(dtype="float32", ndim=4)) = R.match_cast((lv7_1, lv9), R.Tuple(R.Object, R.Tensor(dtype="float32", ndim=4)))
            gv1: R.Tensor(dtype="float32", ndim=4) = lv9_1[1]
            R.output(gv, gv1)
        gv2: R.Tensor((1, 4, 6, m), dtype="float32") = R.match_cast(gv, R.Tensor((1, 4, 6, m), dtype="float32"))
        return (gv, gv1, gv2)
