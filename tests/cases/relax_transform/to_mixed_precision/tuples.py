# pass: relax.ToMixedPrecision
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), "float32"), w: R.Tensor((4, 4), "float32")):
        with R.dataflow():
            lv = R.matmul(x, w)
            t = R.concat((lv, x), axis=0)
            s = R.split(t, 2, axis=0)
            s0 = s[0]
            s1 = s[1]
            m = R.matmul(s0, w)
            e = R.exp(s1)
            p = (m, e)
            p0 = p[0]
            q = R.matmul(p0, w)
            R.output(q, e)
        y = R.matmul(q, w)
        y1 = R.nn.relu(y)
        return (q, e, y1)

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((2, 4), dtype="float32"), w: R.Tensor((4, 4), dtype="float32")) -> R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")):
        with R.dataflow():
            lv: R.Tensor((4, 4), dtype="float16") = R.astype(w, dtype="float16")
            lv1: R.Tensor((2, 4), dtype="float16") = R.astype(x, dtype="float16")
            lv2: R.Tensor((2, 4), dtype="float32") = R.matmul(lv1, lv, out_dtype="float32")
            lv_1: R.Tensor((2, 4), dtype="float16") = R.astype(lv2, dtype="float16")
            lv3: R.Tensor((2, 4), dtype="float32") = R.astype(lv_1, dtype="float32")
            t: R.Tensor((4, 4), dtype="float32") = R.concat((lv3, x), axis=0)
            s: R.Tuple(R.Tensor((2, 4), dtype="float32"), R.Tensor((2, 4), dtype="float32")) = R.split(t, indices_or_sections=2, axis=0)
            lv4: R.Tensor((2, 4), dtype="float32") = s[0]
            lv5: R.Tensor((2, 4), dtype="float16") = R.astype(lv4, dtype="float16")
            lv6: R.Tensor((2, 4), dtype="float32") = s[1]
            lv7: R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tensor((2, 4), dtype="float32")) = lv5, lv6
            s0: R.Tensor((2, 4), dtype="float16") = lv7[0]
            s1: R.Tensor((2, 4), dtype="float32") = lv7[1]
            lv8: R.Tensor((2, 4), dtype="float32") = R.matmul(s0, lv, out_dtype="float32")
            m: R.Tensor((2, 4), dtype="float16") = R.astype(lv8, dtype="float16")
            e: R.Tensor((2, 4), dtype="float32") = R.exp(s1)
            p: R.Tuple(R.Tensor((2, 4), dtype="float16"), R.Tensor((2, 4), dtype="float32")) = m, e
            p0: R.Tensor((2, 4), dtype="float16") = p[0]
            q: R.Tensor((2, 4), dtype="float32") = R.matmul(p0, lv, out_dtype="float32")
            R.output(e, q)
        y: R.Tensor((2, 4), dtype="float32") = R.matmul(q, w, out_dtype="void")
        y1: R.Tensor((2, 4), dtype="float32") = R.nn.relu(y)
        return (q, e, y1)
