# pass: relax.BundleModelParams
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, "k"), "float32"), w2: R.Tensor((16, "m"), "float32")):
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t = R.exp(w1)
            t2 = R.add(w1, w1)
            u = R.concat((t, w2), axis=1)
            z = R.zeros((k,), "float32")
            y = R.matmul(x, u)
            R.output(y, z)
        w1_a = R.exp(w1)
        return (y, z, w2)
    @R.function
    def f2(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, "k"), "float32")):
        return w1

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), dtype="float32"), model_params: R.Tuple(R.Tensor((16, "k"), dtype="float32"), R.Tensor((16, "m"), dtype="float32"))) -> R.Tuple(R.Tensor((4, "k + m"), dtype="float32"), R.Tensor(("k",), dtype="float32"), R.Tensor((16, "m"), dtype="float32")):
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w1: R.Tensor((16, k), dtype="float32") = model_params[0]
            t: R.Tensor((16, k), dtype="float32") = R.exp(w1)
            w11: R.Tensor((16, k), dtype="float32") = model_params[0]
            w12: R.Tensor((16, k), dtype="float32") = model_params[0]
            t2: R.Tensor((16, k), dtype="float32") = R.add(w11, w12)
            w2: R.Tensor((16, m), dtype="float32") = model_params[1]
            u: R.Tensor((16, k + m), dtype="float32") = R.concat((t, w2), axis=1)
            z: R.Tensor((k,), dtype="float32") = R.zeros(R.shape([k]), dtype="float32")
            y: R.Tensor((4, k + m), dtype="float32") = R.matmul(x, u, out_dtype="void")
            R.output(z, y)
        w13: R.Tensor((16, k), dtype="float32") = model_params[0]
        w1_a: R.Tensor((16, k), dtype="float32") = R.exp(w13)
        w21: R.Tensor((16, m), dtype="float32") = model_params[1]
        return (y, z, w21)

    @R.function
    def f2(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, "k"), dtype="float32")) -> R.Tensor((16, "k"), dtype="float32"):
        k = T.int64()
        return w1
