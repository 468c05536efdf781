# pass: relax.LiftTransformParams
# A computed weight has the extent k + m, which defines neither size; a value of sizes alone stays, and needs k.
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, "k"), "float32"), w2: R.Tensor((16, "m"), "float32")):
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            t = R.exp(w1)
            u = R.concat((t, w2), axis=1)
            z = R.zeros((k,), "float32")
            y = R.matmul(x, u)
            R.output(y, z)
        return (y, z)
    @R.function
    def f2(w2: R.Tensor((4, 16), "float32"), a: R.Tensor(("b", 16), "float32"), v1: R.Tensor((16, "k2"), "float32"), v2: R.Tensor((16, "m2"), "float32")):
        b = T.int64()
        k2 = T.int64()
        m2 = T.int64()
        R.func_attr({"num_input": 2})
        with R.dataflow():
            t = R.exp(v1)
            u = R.concat((t, v2), axis=1)
            y = R.matmul(w2, t)
            y2 = R.matmul(a, u)
            R.output(y, y2)
        return (y, y2)

# after
# from tvm.script import ir as I
# from tvm.script import tir as T
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), dtype="float32"), vars_from_compile_time_params: R.Shape(["k", "m"]), u: R.Tensor((16, "k + m"), dtype="float32")) -> R.Tuple(R.Tensor((4, "k + m"), dtype="float32"), R.Tensor(("k",), dtype="float32")):
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z: R.Tensor((k,), dtype="float32") = R.zeros(R.shape([k]), dtype="float32")
            y: R.Tensor((4, k + m), dtype="float32") = R.matmul(x, u, out_dtype="void")
            R.output(z, y)
        gv: R.Tuple(R.Tensor((4, k + m), dtype="float32"), R.Tensor((k,), dtype="float32")) = y, z
        return gv

    @R.function
    def f1_transform_params(model_params: R.Tuple(R.Tensor((16, "k"), dtype="float32"), R.Tensor((16, "m"), dtype="float32"))) -> R.Tuple(R.Shape(["k", "m"]), R.Tensor((16, "k + m"), dtype="float32")):
        k = T.int64()
        m = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w1: R.Tensor((16, k), dtype="float32") = model_params[0]
            t: R.Tensor((16, k), dtype="float32") = R.exp(w1)
            w2: R.Tensor((16, m), dtype="float32") = model_params[1]
            u: R.Tensor((16, k + m), dtype="float32") = R.concat((t, w2), axis=1)
            z: R.Tensor((k,), dtype="float32") = R.zeros(R.shape([k]), dtype="float32")
            output_tuple: R.Tuple(R.Shape([k, m]), R.Tensor((16, k + m), dtype="float32")) = R.shape([k, m]), u
            R.output(output_tuple)
        return output_tuple

    @R.function
    def f2(w2: R.Tensor((4, 16), dtype="float32"), a: R.Tensor(("b", 16), dtype="float32"), vars_from_compile_time_params: R.Shape(["m2"]), t: R.Tensor((16, "k2"), dtype="float32"), u: R.Tensor((16, "k2 + m2"), dtype="float32")) -> R.Tuple(R.Tensor((4, "k2"), dtype="float32"), R.Tensor(("b", "k2 + m2"), dtype="float32")):
        k2 = T.int64()
        b = T.int64()
        m2 = T.int64()
        R.func_attr({"num_input": 2})
        with R.dataflow():
            y: R.Tensor((4, k2), dtype="float32") = R.matmul(w2, t, out_dtype="void")
            y2: R.Tensor((b, k2 + m2), dtype="float32") = R.matmul(a, u, out_dtype="void")
            R.output(y, y2)
        gv: R.Tuple(R.Tensor((4, k2), dtype="float32"), R.Tensor((b, k2 + m2), dtype="float32")) = y, y2
        return gv

    @R.function
    def f2_transform_params(model_params: R.Tuple(R.Tensor((16, "k2"), dtype="float32"), R.Tensor((16, "m2"), dtype="float32"))) -> R.Tuple(R.Shape(["m2"]), R.Tensor((16, "k2"), dtype="float32"), R.Tensor((16, "k2 + m2"), dtype="float32")):
        m2 = T.int64()
        k2 = T.int64()
        R.func_attr({"num_input": 0})
        with R.dataflow():
            v1: R.Tensor((16, k2), dtype="float32") = model_params[0]
            t: R.Tensor((16, k2), dtype="float32") = R.exp(v1)
            v2: R.Tensor((16, m2), dtype="float32") = model_params[1]
            u: R.Tensor((16, k2 + m2), dtype="float32") = R.concat((t, v2), axis=1)
            output_tuple: R.Tuple(R.Shape([m2]), R.Tensor((16, k2), dtype="float32"), R.Tensor((16, k2 + m2), dtype="float32")) = R.shape([m2]), t, u
            R.output(output_tuple)
        return output_tuple
