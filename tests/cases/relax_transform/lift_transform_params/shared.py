# pass: relax.LiftTransformParams(shared_transform=True)
@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), "float32"), w1: R.Tensor((16, 16), "float32"), w2: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z = R.zeros((16, 16), "float32")
            t = R.add(w1, z)
            o = R.exp(w2)
            y = R.matmul(x, t)
            y1 = R.matmul(y, o)
            R.output(y1)
        return y1
    @R.function
    def f2(x: R.Tensor((4, 16), "float32"), v1: R.Tensor((16, 16), "float32"), v2: R.Tensor((16, 16), "float32")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z1 = R.zeros((16, 16), "float32")
            t1 = R.add(v1, z1)
            o1 = R.cos(v2)
            y = R.matmul(x, t1)
            y1 = R.matmul(y, o1)
            R.output(y1)
        return y1

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def f1(x: R.Tensor((4, 16), dtype="float32"), w2: R.Tensor((16, 16), dtype="float32"), t: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            o: R.Tensor((16, 16), dtype="float32") = R.exp(w2)
            y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, t, out_dtype="void")
            y1: R.Tensor((4, 16), dtype="float32") = R.matmul(y, o, out_dtype="void")
            R.output(y1)
        return y1

    @R.function
    def f2(x: R.Tensor((4, 16), dtype="float32"), v2: R.Tensor((16, 16), dtype="float32"), t1: R.Tensor((16, 16), dtype="float32")) -> R.Tensor((4, 16), dtype="float32"):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            z1: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            o1: R.Tensor((16, 16), dtype="float32") = R.cos(v2)
            y: R.Tensor((4, 16), dtype="float32") = R.matmul(x, t1, out_dtype="void")
            y1: R.Tensor((4, 16), dtype="float32") = R.matmul(y, o1, out_dtype="void")
            R.output(y1)
        return y1

    @R.function
    def transform_params(model_params: R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32"))) -> R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            z: R.Tensor((16, 16), dtype="float32") = R.zeros(R.shape([16, 16]), dtype="float32")
            w1: R.Tensor((16, 16), dtype="float32") = model_params[0]
            t: R.Tensor((16, 16), dtype="float32") = R.add(w1, z)
            w2: R.Tensor((16, 16), dtype="float32") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((16, 16), dtype="float32"), R.Tensor((16, 16), dtype="float32")) = w2, t
            R.output(output_tuple)
        return output_tuple
