# pass: relax.LiftTransformParams
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor(("n", 16), "float32"), w1: R.Tensor((16, "k"), "float32"), b: R.Tensor(("k",), "float32"), w3: R.Tensor((4, 4), "float32")) -> R.Tensor(("n", "k"), "float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        w4 = R.multiply(w1, R.const(2, "float32"))
        with R.dataflow():
            z = R.zeros((16, 16), "float32")
            t = R.permute_dims(w1)
            t2 = R.permute_dims(t)
            sh = R.shape([n, k])
            y = R.matmul(x, t2)
            c = R.add(b, R.const(1, "float32"))
            y2 = R.add(y, c)
            y3 = R.add(y2, c)
            y4 = R.add(y3, b)
            R.output(y4)
        y5 = R.matmul(x, w4)
        return y4
    @R.function
    def second(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 8), "float32"), w2: R.Tensor((16, 8), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            a = R.concat((w1, w2), axis=1)
            s = R.split(a, 2, axis=1)
            s0 = s[0]
            y = R.matmul(x, s0)
            R.output(y)
        return y
    @R.function
    def third(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 8), "float32")):
        with R.dataflow():
            a = R.exp(w1)
            y = R.matmul(x, a)
            R.output(y)
        return y

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((16, "k"), dtype="float32"), R.Tensor(("k",), dtype="float32"), R.Tensor((4, 4), dtype="float32"))) -> R.Tuple(R.Tensor((16, "k"), dtype="float32"), R.Tensor(("k",), dtype="float32"), R.Tensor((16, "k"), dtype="float32"), R.Tensor(("k",), dtype="float32")):
        k = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            w1: R.Tensor((16, k), dtype="float32") = model_params[0]
            t: R.Tensor((k, 16), dtype="float32") = R.permute_dims(w1, axes=None)
            t2: R.Tensor((16, k), dtype="float32") = R.permute_dims(t, axes=None)
            b: R.Tensor((k,), dtype="float32") = model_params[1]
            c: R.Tensor((k,), dtype="float32") = R.add(b, R.const(1, "float32"))
            w11: R.Tensor((16, k), dtype="float32") = model_params[0]
            b1: R.Tensor((k,), dtype="float32") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((16, k), dtype="float32"), R.Tensor((k,), dtype="float32"), R.Tensor((16, k), dtype="float32"), R.Tensor((k,), dtype="float32")) = w11, b1, t2, c
            R.output(output_tuple)
        return output_tuple

    @R.function
    def second(x: R.Tensor((4, 16), dtype="float32"), s0: R.Tensor((16, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            y: R.Tensor((4, 8), dtype="float32") = R.matmul(x, s0, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def second_transform_params(model_params: R.Tuple(R.Tensor((16, 8), dtype="float32"), R.Tensor((16, 8), dtype="float32"))) -> R.Tuple(R.Tensor((16, 8), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w1: R.Tensor((16, 8), dtype="float32") = model_params[0]
            w2: R.Tensor((16, 8), dtype="float32") = model_params[1]
            a: R.Tensor((16, 16), dtype="float32") = R.concat((w1, w2), axis=1)
            s: R.Tuple(R.Tensor((16, 8), dtype="float32"), R.Tensor((16, 8), dtype="float32")) = R.split(a, indices_or_sections=2, axis=1)
            s0: R.Tensor((16, 8), dtype="float32") = s[0]
            output_tuple: R.Tuple(R.Tensor((16, 8), dtype="float32")) = (s0,)
            R.output(output_tuple)
        return output_tuple

    @R.function
    def third(x: R.Tensor((4, 16), dtype="float32"), w1: R.Tensor((16, 8), dtype="float32")) -> R.Tensor((4, 8), dtype="float32"):
        with R.dataflow():
            a: R.Tensor((16, 8), dtype="float32") = R.exp(w1)
            y: R.Tensor((4, 8), dtype="float32") = R.matmul(x, a, out_dtype="void")
            R.output(y)
        return y

    @R.function
    def main(x: R.Tensor(("n", 16), dtype="float32"), w1: R.Tensor((16, "k"), dtype="float32"), b: R.Tensor(("k",), dtype="float32"), t2: R.Tensor((16, "k"), dtype="float32"), c: R.Tensor(("k",), dtype="float32")) -> R.Tensor(("n", "k"), dtype="float32"):
        n = T.int64()
        k = T.int64()
        R.func_attr({"num_input": 1})
        w4: R.Tensor((16, k), dtype="float32") = R.multiply(w1, R.const(2, "float32"))
        with R.dataflow():
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            sh: R.Shape([n, k]) = R.shape([n, k])
            y: R.Tensor((n, k), dtype="float32") = R.matmul(x, t2, out_dtype="void")
            y2: R.Tensor((n, k), dtype="float32") = R.add(y, c)
            y3: R.Tensor((n, k), dtype="float32") = R.add(y2, c)
            y4: R.Tensor((n, k), dtype="float32") = R.add(y3, b)
            R.output(y4)
        y5: R.Tensor((n, k), dtype="float32") = R.matmul(x, w4, out_dtype="void")
        return y4
