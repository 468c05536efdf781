# pass: relax.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})
# differs from TVM: TVM fails on dropout
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), "float32"), w: R.Tensor((4, 3, 3, 3), "float32"), g: R.Tensor((4,), "float32")):
        with R.dataflow():
            lv = R.nn.conv2d(x, w, out_dtype="float32")
            bn = R.nn.batch_norm(lv, g, g, g, g, axis=1)
            lv1 = bn[0]
            ln = R.nn.layer_norm(lv1, g, g, axes=[1])
            gn = R.nn.group_norm(ln, g, g, num_groups=2, channel_axis=1, axes=[2, 3])
            dr = R.nn.dropout(gn, rate=0.5)
            d0 = dr[0]
            c = R.concat((d0, lv), axis=1)
            sp = R.split(c, 2, axis=1)
            s0 = sp[0]
            s1 = sp[1]
            t = (s0, s1)
            t0 = t[0]
            m = R.maximum(t0, s1)
            cl = R.clip(m, 0, 6)
            a = R.astype(cl, "float16")
            st = R.strided_slice(a, axes=[1, 2], begin=[0, 0], end=[2, 10], strides=[1, 1])
            ex = R.expand_dims(st, axis=[0])
            sq = R.squeeze(ex, axis=[0])
            ap = R.nn.adaptive_avg_pool2d(sq, (1, 1))
            rs = R.image.resize2d(ap, (4, 4), layout="NCHW")
            av = R.nn.avg_pool2d(rs, pool_size=2)
            cu = R.cumsum(av, axis=1)
            R.output(cu)
        return cu

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3, 28, 28), dtype="float32"), w: R.Tensor((4, 3, 3, 3), dtype="float32"), g: R.Tensor((4,), dtype="float32")) -> R.Tensor((2, 2, 3, 3), dtype="float16"):
        with R.dataflow():
            lv: R.Tensor((2, 28, 28, 3), dtype="float32") = R.permute_dims(x, axes=[0, 2, 3, 1])
            lv1: R.Tensor((4, 3, 3, 3), dtype="float32") = R.permute_dims(w, axes=[0, 2, 3, 1])
            lv_1: R.Tensor((2, 26, 26, 4), dtype="float32") = R.nn.conv2d(lv, lv1, strides=[1, 1], padding=[0, 0, 0, 0], dilation=[1, 1], groups=1, data_layout="NHWC", kernel_layout="OHWI", out_layout="NHWC", out_dtype="float32")
            bn: R.Tuple(R.Tensor((2, 26, 26, 4), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.nn.batch_norm(lv_1, g, g, g, g, axis=3, epsilon=1.0000000000000001e-05, center=True, scale=True, momentum=0.10000000000000001)
            lv1_1: R.Tensor((2, 26, 26, 4), dtype="float32") = bn[0]
            ln: R.Tensor((2, 26, 26, 4), dtype="float32") = R.nn.layer_norm(lv1_1, g, g, axes=[3], epsilon=1.0000000000000001e-05, center=True, scale=True)
            gn: R.Tensor((2, 26, 26, 4), dtype="float32") = R.nn.group_norm(ln, g, g, num_groups=2, channel_axis=3, axes=[1, 2], epsilon=1.0000000000000001e-05, center=True, scale=True)
            dr: R.Tuple(R.Tensor((2, 26, 26, 4), dtype="float32"), R.Tensor((2, 26, 26, 4), dtype="float32")) = R.nn.dropout(gn, rate=0.5)
            d0: R.Tensor((2, 26, 26, 4), dtype="float32") = dr[0]
            c: R.Tensor((2, 26, 26, 8), dtype="float32") = R.concat((d0, lv_1), axis=3)
            sp: R.Tuple(R.Tensor((2, 26, 26, 4), dtype="float32"), R.Tensor((2, 26, 26, 4), dtype="float32")) = R.split(c, indices_or_sections=2, axis=3)
            s0: R.Tensor((2, 26, 26, 4), dtype="float32") = sp[0]
            s1: R.Tensor((2, 26, 26, 4), dtype="float32") = sp[1]
            t: R.Tuple(R.Tensor((2, 26, 26, 4), dtype="float32"), R.Tensor((2, 26, 26, 4), dtype="float32")) = s0, s1
            t0: R.Tensor((2, 26, 26, 4), dtype="float32") = t[0]
            m: R.Tensor((2, 26, 26, 4), dtype="float32") = R.maximum(t0, s1)
            lv2: R.Tensor((2, 4, 26, 26), dtype="float32") = R.permute_dims(m, axes=[0, 3, 1, 2])
            cl: R.Tensor((2, 4, 26, 26), dtype="float32") = R.clip(lv2, R.prim_value(0), R.prim_value(6))
            a: R.Tensor((2, 4, 26, 26), dtype="float16") = R.astype(cl, dtype="float16")
            st: R.Tensor((2, 2, 10, 26), dtype="float16") = R.strided_slice(a, (R.prim_value(1), R.prim_value(2)), (R.prim_value(0), R.prim_value(0)), (R.prim_value(2), R.prim_value(10)), (R.prim_value(1), R.prim_value(1)), assume_inbound=False)
            ex: R.Tensor((1, 2, 2, 10, 26), dtype="float16") = R.expand_dims(st, axis=[0])
            sq: R.Tensor((2, 2, 10, 26), dtype="float16") = R.squeeze(ex, axis=[0])
            ap: R.Tensor((2, 2, 1, 1), dtype="float16") = R.nn.adaptive_avg_pool2d(sq, output_size=[1, 1], layout="NCHW", out_layout="NCHW")
            rs: R.Tensor((2, 2, 4, 4), dtype="float16") = R.image.resize2d(ap, R.shape([4, 4]), roi=[T.float32(0), T.float32(0), T.float32(0), T.float32(0)], layout="NCHW", method="linear", coordinate_transformation_mode="half_pixel", rounding_method="round", cubic_alpha=-0.5, cubic_exclude=0, extrapolation_value=0, out_dtype="void")
            av: R.Tensor((2, 2, 3, 3), dtype="float16") = R.nn.avg_pool2d(rs, pool_size=[2, 2], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
            cu: R.Tensor((2, 2, 3, 3), dtype="float16") = R.cumsum(av, axis=1, dtype="void", exclusive=None)
            R.output(cu)
        return cu
