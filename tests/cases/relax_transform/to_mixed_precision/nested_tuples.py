# pass: relax.ToMixedPrecision
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32"), t: R.Tuple(R.Tensor((4, 4), "float32"), R.Tuple(R.Tensor((4, 4), "float32"), R.Tensor((4, 4), "float32")))):
        with R.dataflow():
            t0 = t[0]
            t1 = t[1]
            t2 = t1[0]
            t3 = t1[1]
            lv = R.matmul(x, t0)
            lv1 = R.matmul(lv, t2)
            lv2 = (lv, (lv1, x))
            lv3 = lv2[1]
            lv4 = lv3[1]
            lv5 = lv2[0]
            lv6 = R.matmul(lv4, w)
            lv7 = R.nn.relu(t3)
            gv = (lv5, lv2, lv6)
            R.output(gv, lv7)
        return (gv, lv7)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32"), t: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")))) -> R.Tuple(R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32"))), R.Tensor((2, 4), dtype="float32")), R.Tensor((4, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv1: R.Tensor((4, 4), dtype="float32") = t[0]
            lv2: R.Tensor((4, 4), dtype="float16") = R.astype(lv1, dtype="float16")
            lv3: R.Tuple(R.Tensor((4, 4), dtype="float32"), R.Tensor((4, 4), dtype="float32")) = t[1]
            lv4: R.Tensor((4, 4), dtype="float32") = lv3[0]
            lv5: R.Tensor((4, 4), dtype="float16") = R.astype(lv4, dtype="float16")
            lv6: R.Tensor((4, 4), dtype="float32") = lv3[1]
            lv7: R.Tuple(R.Tensor((4, 4), dtype="float16"), R.Tuple(R.Tensor((4, 4), dtype="float16"), R.Tensor((4, 4), dtype="float32"))) = lv2, (lv5, lv6)
            t0: R.Tensor((4, 4), dtype="float16") = lv7[0]
            t1: R.Tuple(R.Tensor((4, 4), dtype="float16"), R.Tensor((4, 4), dtype="float32")) = lv7[1]
            t2: R.Tensor((4, 4), dtype="float16") = t1[0]
            t3: R.Tensor((4, 4), dtype="float32") = t1[1]
            lv8: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv9: R.Tensor((2, 4), dtype="float32") = R.matmul(lv8, t0, out_dtype="float32")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv9, dtype="float16")
            lv10: R.Tensor((2, 4), dtype="float32") = R.matmul(lv_1, t2, out_dtype="float32")
            lv1_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv10, dtype="float16")
            lv2_1: R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tensor((2, 4), dtype="float32"))) = lv_1, (lv1_1, x)
            lv3_1: R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tensor((2, 4), dtype="float32")) = lv2_1[1]
            lv11: R.Tensor((2, 4), dtype="float16") = lv3_1[0]
            lv12: R.Tensor((2, 4), dtype="float32") = lv3_1[1]
            lv13: R.Tensor((2, 4), dtype="float16") = R.astype(lv12, dtype="float16")
            lv14: R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tensor((2, 4), dtype="float16")) = lv11, lv13
            lv4_1: R.Tensor((2, 4), dtype="float16") = lv14[1]
            lv5_1: R.Tensor((2, 4), dtype="float16") = lv2_1[0]
            lv15: R.Tensor((2, 4), dtype="float32") = R.matmul(lv4_1, lv, out_dtype="float32")
            lv6_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv15, dtype="float16")
            lv7_1: R.Tensor((4, 4), dtype="float32") = R.nn.relu(t3)
            lv16: R.Tensor((2, 4), dtype="float32") = R.astype(lv5_1, dtype="float32")
            lv17: R.Tensor((2, 4), dtype="float16") = lv2_1[0]
            lv18: R.Tensor((2, 4), dtype="float32") = R.astype(lv17, dtype="float32")
            lv19: R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tensor((2, 4), dtype="float32")) = lv2_1[1]
            lv20: R.Tensor((2, 4), dtype="float16") = lv19[0]
            lv21: R.Tensor((2, 4), dtype="float32") = R.astype(lv20, dtype="float32")
            lv22: R.Tensor((2, 4), dtype="float32") = lv19[1]
            lv23: R.Tensor((2, 4), dtype="float32") = R.astype(lv6_1, dtype="float32")
            gv: R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32"))), R.Tensor((2, 4), dtype="float32")) = lv16, (lv18, (lv21, lv22)), lv23
            R.output(lv7_1, gv)
        return (gv, lv7_1)
