# pass: relax.LiftTransformParams
@I.ir_module
class Module:
    @R.function
    def main(x: R.Tensor((16,), "float32"), w: R.Tensor((16,), "float32"), c: R.Tensor((), "bool")):
        R.func_attr({"num_input": 1})
        with R.dataflow():
            w2 = R.add(w, w)
            R.output(w2)
        if c:
            with R.dataflow():
                w3 = R.add(w2, w2)
                y = R.add(w3, x)
                R.output(y)
            r = y
        else:
            r = R.add(x, w)
        return r

# after
# from tvm.script import ir as I
# from tvm.script import relax as R

@I.ir_module
class Module:
    @R.function
    def main_transform_params(model_params: R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((), dtype="bool"))) -> R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((), dtype="bool"), R.Tensor((16,), dtype="float32")):
        R.func_attr({"num_input": 0})
        with R.dataflow():
            w: R.Tensor((16,), dtype="float32") = model_params[0]
            w1: R.Tensor((16,), dtype="float32") = model_params[0]
            w2: R.Tensor((16,), dtype="float32") = R.add(w, w1)
            w2_1: R.Tensor((16,), dtype="float32") = model_params[0]
            c: R.Tensor((), dtype="bool") = model_params[1]
            output_tuple: R.Tuple(R.Tensor((16,), dtype="float32"), R.Tensor((), dtype="bool"), R.Tensor((16,), dtype="float32")) = w2_1, c, w2
            R.output(output_tuple)
        return output_tuple

    @R.function
    def main(x: R.Tensor((16,), dtype="float32"), w: R.Tensor((16,), dtype="float32"), c: R.Tensor((), dtype="bool"), w2: R.Tensor((16,), dtype="float32")) -> R.Tensor((16,), dtype="float32"):
        R.func_attr({"num_input": 1})
        if c:
            with R.dataflow():
                w3: R.Tensor((16,), dtype="float32") = R.add(w2, w2)
                y: R.Tensor((16,), dtype="float32") = R.add(w3, x)
                R.output(y)
            r: R.Tensor((16,), dtype="float32") = y
        else:
            r_else: R.Tensor((16,), dtype="float32") = R.add(x, w)
            r: R.Tensor((16,), dtype="float32") = r_else
        return r
