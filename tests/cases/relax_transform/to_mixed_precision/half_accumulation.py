# pass: relax.ToMixedPrecision(out_dtype="float16")
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), "float32"), w: R.Tensor((3, 4), "float32"), v: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            lv = R.matmul(x, w)
            lv1 = R.nn.relu(lv)
            lv2 = R.matmul(lv1, v)
            lv3 = R.add(lv2, R.const(1, "float32"))
            lv4 = R.matmul(lv3, v)
            lv5 = R.nn.softmax(lv4)
            lv6 = R.add(lv5, lv4)
            lv7 = R.matmul(lv6, v)
            R.output(lv7)
        return lv7

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 3), dtype="float32"), w: R.Tensor((3, 4), dtype="float32"), v: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((2, 4), dtype="float32"):
        with R.dataflow():
            lv: R.Tensor((2, 3), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((3, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv2: R.Tensor((4, 4), dtype="float16") = R.astype(v, dtype="float16")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.matmul(lv, lv1, out_dtype="float16")
            lv1_1: R.Tensor((2, 4), dtype="float16") = R.nn.relu(lv_1)
            lv2_1: R.Tensor((2, 4), dtype="float16") = R.matmul(lv1_1, lv2, out_dtype="float16")
            lv3: R.Tensor((), dtype="float16") = R.astype(R.const(1, "float32"), dtype="float16")
            lv3_1: R.Tensor((2, 4), dtype="float16") = R.add(lv2_1, lv3)
            lv4: R.Tensor((2, 4), dtype="float16") = R.matmul(lv3_1, lv2, out_dtype="float16")
            lv4_1: R.Tensor((2, 4), dtype="float32") = R.astype(lv4, dtype="float32")
            lv5: R.Tensor((2, 4), dtype="float32") = R.nn.softmax(lv4_1, axis=-1)
            lv5_1: R.Tensor((2, 4), dtype="float32") = R.astype(lv4, dtype="float32")
            lv6: R.Tensor((2, 4), dtype="float32") = R.add(lv5, lv5_1)
            lv6_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv6, dtype="float16")
            lv7: R.Tensor((2, 4), dtype="float16") = R.matmul(lv6_1, lv2, out_dtype="float16")
            lv7_1: R.Tensor((2, 4), dtype="float32") = R.astype(lv7, dtype="float32")
            R.output(lv7_1)
        return lv7_1
