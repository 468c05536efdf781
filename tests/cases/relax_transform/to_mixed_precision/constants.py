# pass: relax.ToMixedPrecision
@R.function
def main(x: R.Tensor((1, 4), dtype="float32"), w: R.Tensor((4, 4), "float32")):
    with R.dataflow():
        lv5 = R.matmul(x, w)
        lv6 = R.maximum(lv5, R.const(65505.0, "float32"))
        lv7 = R.matmul(lv6, w)
        lv8 = R.maximum(lv7, R.const(-65505.0, "float32"))
        lv9 = R.matmul(lv8, w)
        lv10 = R.maximum(lv9, R.const(3e-8, "float32"))
        lv11 = R.matmul(lv10, w)
        lv12 = R.maximum(lv11, R.const(float("inf"), "float32"))
        lv13 = R.matmul(lv12, w)
        lv14 = R.maximum(lv13, R.const([[1.0, 2.0, 3.0, 4.0]], "float32"))
        lv15 = R.matmul(lv14, w)
        lv16 = R.maximum(lv15, R.const([[1.0, 2.0, 3.0, 1e8]], "float32"))
        lv17 = R.matmul(lv16, w)
        lv18 = R.maximum(lv17, R.const(float("nan"), "float32"))
        lv19 = R.matmul(lv18, w)
        R.output(lv19)
    return lv19

# after
# from tvm.script import relax as R

@R.function
def main(x: R.Tensor((1, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tensor((1, 4), dtype="float32"):
    with R.dataflow():
        lv: R.Tensor((1, 4), dtype="float16") = R.astype(x, dtype="float16")
        lv1: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
        lv2: R.Tensor((1, 4), dtype="float32") = R.matmul(lv, lv1, out_dtype="float32")
        lv5: R.Tensor((1, 4), dtype="float16") = R.astype(lv2, dtype="float16")
        lv3: R.Tensor((1, 4), dtype="float32") = R.astype(lv5, dtype="float32")
        lv6: R.Tensor((1, 4), dtype="float32") = R.maximum(lv3, R.const(65505, "float32"))
        lv4: R.Tensor((1, 4), dtype="float16") = R.astype(lv6, dtype="float16")
        lv5_1: R.Tensor((1, 4), dtype="float32") = R.matmul(lv4, lv1, out_dtype="float32")
        lv7: R.Tensor((1, 4), dtype="float16") = R.astype(lv5_1, dtype="float16")
        lv6_1: R.Tensor((1, 4), dtype="float32") = R.astype(lv7, dtype="float32")
        lv8: R.Tensor((1, 4), dtype="float32") = R.maximum(lv6_1, R.const(-65505, "float32"))
        lv7_1: R.Tensor((1, 4), dtype="float16") = R.astype(lv8, dtype="float16")
        lv8_1: R.Tensor((1, 4), dtype="float32") = R.matmul(lv7_1, lv1, out_dtype="float32")
        lv9: R.Tensor((1, 4), dtype="float16") = R.astype(lv8_1, dtype="float16")
        lv9_1: R.Tensor((), dtype="float16") = R.astype(R.const(2.9999998929497451e-08, "float32"), dtype="float16")
        lv10: R.Tensor((1, 4), dtype="float16") = R.maximum(lv9, lv9_1)
        lv10_1: R.Tensor((1, 4), dtype="float32") = R.matmul(lv10, lv1, out_dtype="float32")
        lv11: R.Tensor((1, 4), dtype="float16") = R.astype(lv10_1, dtype="float16")
        lv11_1: R.Tensor((1, 4), dtype="float32") = R.astype(lv11, dtype="float32")
        lv12: R.Tensor((1, 4), dtype="float32") = R.maximum(lv11_1, R.const("inf", "float32"))
        lv12_1: R.Tensor((1, 4), dtype="float16") = R.astype(lv12, dtype="float16")
        lv13: R.Tensor((1, 4), dtype="float32") = R.matmul(lv12_1, lv1, out_dtype="float32")
        lv13_1: R.Tensor((1, 4), dtype="float16") = R.astype(lv13, dtype="float16")
        lv14: R.Tensor((1, 4), dtype="float16") = R.astype(metadata["relax.expr.Constant"][0], dtype="float16")
        lv14_1: R.Tensor((1, 4), dtype="float16") = R.maximum(lv13_1, lv14)
        lv15: R.Tensor((1, 4), dtype="float32") = R.matmul(lv14_1, lv1, out_dtype="float32")
        lv15_1: R.Tensor((1, 4), dtype="float16") = R.astype(lv15, dtype="float16")
        lv16: R.Tensor((1, 4), dtype="float32") = R.astype(lv15_1, dtype="float32")
        lv16_1: R.Tensor((1, 4), dtype="float32") = R.maximum(lv16, metadata["relax.expr.Constant"][1])
        lv17: R.Tensor((1, 4), dtype="float16") = R.astype(lv16_1, dtype="float16")
        lv18: R.Tensor((1, 4), dtype="float32") = R.matmul(lv17, lv1, out_dtype="float32")
        lv17_1: R.Tensor((1, 4), dtype="float16") = R.astype(lv18, dtype="float16")
        lv19: R.Tensor((), dtype="float16") = R.astype(R.const("nan", "float32"), dtype="float16")
        lv18_1: R.Tensor((1, 4), dtype="float16") = R.maximum(lv17_1, lv19)
        lv19_1: R.Tensor((1, 4), dtype="float32") = R.matmul(lv18_1, lv1, out_dtype="float32")
        R.output(lv19_1)
    return lv19_1

metadata = {
    "relax.expr.Constant": [
        R.const(T.data("float32", [1, 4], "AACAPwAAAEAAAEBAAACAQA==")),
        R.const(T.data("float32", [1, 4], "AACAPwAAAEAAAEBAILy+TA==")),
    ],
}
