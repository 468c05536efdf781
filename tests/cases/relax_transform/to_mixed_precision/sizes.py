# pass: relax.ToMixedPrecision
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), "float32"), w: R.Tensor((4, "m"), "float32"), b: R.Tensor(("m",), "float32")):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv = R.matmul(x, w)
            lv1 = R.add(lv, b)
            lv2 = R.reshape(lv1, R.shape([n * m]))
            lv3 = R.match_cast(lv2, R.Tensor((n * m,), "float32"))
            lv4 = R.nn.relu(lv3)
            R.output(lv4)
        return lv4

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 4), dtype="float32"), w: R.Tensor((4, "m"), dtype="float32"), b: R.Tensor(("m",), dtype="float32")) -> R.Tensor(("n * m",), dtype="float32"):
        n = T.int64()
        m = T.int64()
        with R.dataflow():
            lv: R.Tensor((n, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv1: R.Tensor((4, m), dtype="float16") = R.astype(w, dtype="float16")
            lv2: R.Tensor((n, m), dtype="float32") = R.matmul(lv, lv1, out_dtype="float32")
            lv_1: R.Tensor((n, m), dtype="float16") = R.astype(lv2, dtype="float16")
            lv3: R.Tensor((n, m), dtype="float32") = R.astype(lv_1, dtype="float32")
            lv1_1: R.Tensor((n, m), dtype="float32") = R.add(lv3, b)
            lv2_1: R.Tensor((n * m,), dtype="float32") = R.reshape(lv1_1, R.shape([n * m]))
            lv3_1: R.Tensor((n * m,), dtype="float32") = R.match_cast(lv2_1, R.Tensor((n * m,), dtype="float32"))
            lv4: R.Tensor((n * m,), dtype="float32") = R.nn.relu(lv3_1)
            R.output(lv4)
        return lv4
