# pass: relax.ToMixedPrecision
# differs from TVM: TVM uses a DataflowVar outside of its block
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            lv = R.matmul(x, w)
            lv1 = R.nn.relu(lv)
            R.output(lv1)
        z = R.nn.relu(x)
        with R.dataflow():
            lv2 = R.matmul(lv1, w)
            lv3 = R.matmul(z, w)
            lv4 = R.add(lv2, lv3)
            lv5 = R.matmul(z, w)
            R.output(lv4, lv5)
        return (lv4, lv5)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv2: R.Tensor((2, 4), dtype="float32") = R.matmul(lv, lv1, out_dtype="float32")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv2, dtype="float16")
            lv3: R.Tensor((2, 4), dtype="float16") = R.nn.relu(lv_1)
            lv1_1: R.Tensor((2, 4), dtype="float32") = R.astype(lv3, dtype="float32")
            R.output(lv1_1)
        z: R.Tensor((2, 4), dtype="float32") = R.nn.relu(x)
        with R.dataflow():
            lv4: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv5: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv6: R.Tensor((2, 4), dtype="float16") = R.astype(lv1_1, dtype="float16")
            lv7: R.Tensor((2, 4), dtype="float32") = R.matmul(lv6, lv5, out_dtype="float32")
            lv2_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv7, dtype="float16")
            lv8: R.Tensor((2, 4), dtype="float16") = R.astype(z, dtype="float16")
            lv9: R.Tensor((2, 4), dtype="float32") = R.matmul(lv8, lv5, out_dtype="float32")
            lv3_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv9, dtype="float16")
            lv10: R.Tensor((2, 4), dtype="float16") = R.add(lv2_1, lv3_1)
            lv4_1: R.Tensor((2, 4), dtype="float32") = R.astype(lv10, dtype="float32")
            lv11: R.Tensor((2, 4), dtype="float16") = R.astype(z, dtype="float16")
            lv5_1: R.Tensor((2, 4), dtype="float32") = R.matmul(lv11, lv5, out_dtype="float32")
            R.output(lv4_1, lv5_1)
        return (lv4_1, lv5_1)
