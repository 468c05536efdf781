# pass: relax.ToMixedPrecision
@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((2, 4, 8, 8), "float32"), k: R.Tensor((2, 4, 8, 8), "float32"), x: R.Tensor((1, 4, 8, 8), "float32"), w: R.Tensor((4, 4, 3, 3), "float32"), g: R.Tensor((4,), "float32")):
        with R.dataflow():
            lv = R.nn.attention(q, k, k)
            lv1 = R.nn.conv2d(x, w, padding=1, out_dtype="float32")
            lv2 = R.nn.batch_norm(lv1, g, g, g, g, axis=1)
            lv3 = lv2[0]
            lv4 = R.nn.relu(lv3)
            lv5 = R.nn.conv2d(lv4, w, padding=1)
            lv6 = R.nn.max_pool2d(lv5)
            lv7 = R.nn.layer_norm(lv6, g, g, axes=[1])
            R.output(lv, lv7)
        return (lv, lv7)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(q: R.Tensor((2, 4, 8, 8), dtype="float32"), k: R.Tensor((2, 4, 8, 8), dtype="float32"), x: R.Tensor((1, 4, 8, 8), dtype="float32"), w: R.Tensor((4, 4, 3, 3), dtype="float32"), g: R.Tensor((4,), dtype="float32")) -> R.Tuple(R.Tensor((2, 4, 8, 8), dtype="float32"), R.Tensor((1, 4, 8, 8), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2, 4, 8, 8), dtype="float16") = R.astype(q, dtype="float16")
            lv1: R.Tensor((2, 4, 8, 8), dtype="float16") = R.astype(k, dtype="float16")
            lv2: R.Tensor((1, 4, 8, 8), dtype="float16") = R.astype(x, dtype="float16")
            lv3: R.Tensor((4, 4, 3, 3), dtype="float16") = R.astype(w, dtype="float16")
            lv4: R.Tensor((2, 4, 8, 8), dtype="float16") = R.nn.attention(lv, lv1, lv1, scale=None, causal_mask=None, window_size=None)
            lv_1: R.Tensor((2, 4, 8, 8), dtype="float32") = R.astype(lv4, dtype="float32")
            lv5: R.Tensor((1, 4, 8, 8), dtype="float32") = R.nn.conv2d(lv2, lv3, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="float32")
            lv1_1: R.Tensor((1, 4, 8, 8), dtype="float16") = R.astype(lv5, dtype="float16")
            lv6: R.Tensor((1, 4, 8, 8), dtype="float32") = R.astype(lv1_1, dtype="float32")
            lv2_1: R.Tuple(R.Tensor((1, 4, 8, 8), dtype="float32"), R.Tensor((4,), dtype="float32"), R.Tensor((4,), dtype="float32")) = R.nn.batch_norm(lv6, g, g, g, g, axis=1, epsilon=1.0000000000000001e-05, center=True, scale=True, momentum=0.10000000000000001)
            lv3_1: R.Tensor((1, 4, 8, 8), dtype="float32") = lv2_1[0]
            lv4_1: R.Tensor((1, 4, 8, 8), dtype="float32") = R.nn.relu(lv3_1)
            lv7: R.Tensor((1, 4, 8, 8), dtype="float16") = R.astype(lv4_1, dtype="float16")
            lv8: R.Tensor((1, 4, 8, 8), dtype="float32") = R.nn.conv2d(lv7, lv3, strides=[1, 1], padding=[1, 1, 1, 1], dilation=[1, 1], groups=1, data_layout="NCHW", kernel_layout="OIHW", out_layout="NCHW", out_dtype="float32")
            lv5_1: R.Tensor((1, 4, 8, 8), dtype="float16") = R.astype(lv8, dtype="float16")
            lv6_1: R.Tensor((1, 4, 8, 8), dtype="float16") = R.nn.max_pool2d(lv5_1, pool_size=[1, 1], strides=[1, 1], dilation=[1, 1], padding=[0, 0, 0, 0], ceil_mode=False, count_include_pad=False, layout="NCHW", out_layout="NCHW")
            lv9: R.Tensor((1, 4, 8, 8), dtype="float32") = R.astype(lv6_1, dtype="float32")
            lv7_1: R.Tensor((1, 4, 8, 8), dtype="float32") = R.nn.layer_norm(lv9, g, g, axes=[1], epsilon=1.0000000000000001e-05, center=True, scale=True)
            R.output(lv_1, lv7_1)
        return (lv_1, lv7_1)
